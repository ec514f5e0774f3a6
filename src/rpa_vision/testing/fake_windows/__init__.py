"""The parts of the fake Windows; `rpa_vision.testing.fake_windows_api` puts them together."""
