"""The scripted person: knows the task and the application, has hands (XTEST) and eyes, and knows nothing of RPA Vision.

It is a process of its own, because that is what a recorder must be able to watch.
"""
