# Forest Explorer as a container: small, not root, kernels compiled for a generic CPU.
#
#   docker build -t forest-explorer .
#   docker run -p 127.0.0.1:5006:5006 forest-explorer
#
# docs/howto/containers.md says how to open it to a class.
FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN deploy/install.sh /opt/forest-explorer .

FROM python:3.12-slim
RUN useradd --uid 1000 --create-home forest
COPY --from=build --chown=1000:1000 /opt/forest-explorer /opt/forest-explorer
USER 1000
ENV PORT=5006 PYTHONUNBUFFERED=1
EXPOSE 5006
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 \
    CMD ["/opt/forest-explorer/venv/bin/python", "/opt/forest-explorer/health.py"]
ENTRYPOINT ["/opt/forest-explorer/start.sh"]
