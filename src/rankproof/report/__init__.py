"""What does a result look like to a person?"""
