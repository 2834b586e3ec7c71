"""Events with bots that dial in: who is there, when it begins, what becomes of those who are late, and who plays."""
