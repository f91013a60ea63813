"""One file per page, and the cards that pages share."""
