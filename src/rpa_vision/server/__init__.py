"""The server: an API for programs and a dashboard for people, both thin over the use cases of `app`."""
