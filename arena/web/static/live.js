// Live parts of pages: see arena/web/live.
