"""YAML written by people: plain data only.

The safe loader makes no objects. Beyond that, what YAML allows and people trip over is refused: the same key twice, and
aliases, with which a small file can stand for an endless one.
"""

from __future__ import annotations

from typing import Any

import yaml


class PlainLoader(yaml.SafeLoader):
    """The safe loader, without aliases and without doubled keys."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "aliases are not allowed", self.get_mark())
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = key_node.value
            if key in seen:
                problem = f"the key {key!r} is there twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)
