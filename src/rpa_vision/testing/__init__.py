"""What tests need in place of the real thing: a scripted desktop, a manual clock, fakes of Windows and macOS.

Everything here passes the same conformance checks as the real adapters (`desktop_conformance`).
"""
