"""`panel serve explorer/app` starts here."""

import panel as pn

from explorer.app.layout.page import build
from explorer.app.session import registry

pn.extension(exception_handler=registry.on_exception)
build().servable(title="Forest Explorer")
