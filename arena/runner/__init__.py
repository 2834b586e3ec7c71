"""Floor 5: plays scheduled blocks on workers, commits results, resumes."""
