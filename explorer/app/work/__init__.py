"""Requests, the scheduler, the shared cache and the memory budget."""
