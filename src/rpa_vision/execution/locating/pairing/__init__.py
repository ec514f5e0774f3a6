"""Which thing of one screen is which of another, all of them told together by a small net."""
