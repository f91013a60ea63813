"""`panel serve explorer/app` starts here."""

import panel as pn

from explorer.app import visits
from explorer.app.page import build

pn.extension(exception_handler=visits.on_exception)
build().servable(title="Forest Explorer")
