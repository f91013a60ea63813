"""The whole page of one visitor: its parts, its HTML template and its content policy."""
