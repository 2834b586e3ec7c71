"""What changes while somebody looks: versions of the parts of pages, the stream that tells them, running games."""
