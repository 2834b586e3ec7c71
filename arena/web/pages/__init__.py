"""The pages, a file for each kind. Each has a `router`; where it needs services, `include(site)` makes them."""
