"""People of a site: what they are kept in, how often they may try, how their cookies are set."""
