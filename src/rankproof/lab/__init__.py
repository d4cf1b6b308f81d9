"""Where can it be tried without installing anything? A page that runs this package's own Python in the browser."""
