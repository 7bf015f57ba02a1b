"""Wheels and source distributions, whole files or parts of one on a server: hostile until it is shown otherwise."""
