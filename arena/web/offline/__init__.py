"""A tournament as pages that open from a disk: the site's own pages, asked for in this process, and linked as files."""
