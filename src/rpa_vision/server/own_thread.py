"""A thread for what must not wait: a stop is done at once, whatever else the server is busy with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


async def in_own_thread(what: Callable[..., T], *arguments: Any, **options: Any) -> T:
    """Do it in a thread that nobody else uses."""
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="at-once")
    try:
        return await asyncio.get_running_loop().run_in_executor(thread, partial(what, *arguments, **options))
    finally:
        thread.shutdown(wait=False)
