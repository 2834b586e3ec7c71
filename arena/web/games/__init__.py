"""Games on the site: where they come from, what a viewer may see of them, and each of their positions as markup."""
