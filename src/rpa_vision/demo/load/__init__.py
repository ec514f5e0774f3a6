"""A robot at work while a hundred people watch it and programs ask how it is: is it any slower for that?"""
