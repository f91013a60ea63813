"""The app: state, scheduling, pages and sharing. No mathematics here."""
