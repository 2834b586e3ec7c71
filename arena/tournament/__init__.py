"""Floor 3: pairings and schedules, pure functions of configuration and results.

Nothing here plays, stores or waits. Asking a schedule again gives the same bouts; that is how a tournament resumes.
"""
