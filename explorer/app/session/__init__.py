"""One visitor: the state, the work that is asked for, and the delivery of results."""
