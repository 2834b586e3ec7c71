"""The site: reads the store, transcripts and public views, and shows them as pages; knows no command line."""
