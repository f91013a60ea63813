"""What a visitor chose: data, models, view and selection, and the link that restores them."""
