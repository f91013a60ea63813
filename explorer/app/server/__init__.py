"""Start-up, routes, login, metrics and memory of the server."""
