"""`panel serve explorer/app` starts here."""

import panel as pn

from explorer.app.page import build

pn.extension()
build().servable(title="Forest Explorer")
