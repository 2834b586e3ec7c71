"""A board: what every table made of the same cards, where they parted, and two of them side by side."""
