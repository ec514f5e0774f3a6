"""What a newcomer sees first: an application to work in, and a scripted person who works in it.

Nothing here knows how RPA Vision watches, learns or acts; it could be any office and any employee.
"""
