"""What may the page ask for? One module a tab; `rankproof.lab.api` lists their calls."""
