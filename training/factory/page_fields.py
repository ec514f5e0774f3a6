"""Fields of a generated page: check marks, inputs, drop-downs, sliders, and the rows of a form they stand in."""

from __future__ import annotations

import html

from factory.icons import icon_tag
from factory.page_parts import OWN_MARKS, PageParts


class PageFields(PageParts):
    """Everything that can be filled in."""

    def mark(self, kind: str, on: bool, name: str, words: str) -> str:
        """A checkbox, radio or toggle with its words."""
        part, say = self.kit.parts, self.text(words)
        on = on if kind == "radio" else self.words.ticked(on)
        ticked = " checked" if on else ""
        off = " disabled" if self.odds(0.04) else ""
        kind_of_input = "radio" if kind == "radio" else "checkbox"
        state = f'data-on="{int(on)}"'
        if kind == "toggle":
            made = self._toggle(on, ticked, state)
            return (
                f'<div style="margin:4px 0">{made} <span>{say}</span></div>'
                if self._first("toggle_order")
                else f'<div style="margin:4px 0;display:flex;justify-content:space-between;gap:12px"><span>{say}</span>{made}</div>'
            )
        if "icon_check" in part:
            return f'<label class="{part["icon_radio" if kind == "radio" else "icon_check"]}"><input type="{kind_of_input}" name="{name}"{ticked}><i class="form-icon" data-t="{kind}" {state}></i> {say}</label>'
        if "span_check" in part:
            return f'<p style="margin:4px 0"><label><input type="{kind_of_input}" class="filled-in" name="{name}"{ticked} data-t="{kind}" {state}><span>{say}</span></label></p>'
        if "ant_marks" in part:
            word = "radio" if kind == "radio" else "checkbox"
            onc = f" ant-{word}-checked" if on else ""
            return f'<label class="ant-{word}-wrapper" style="margin:4px 0"><span class="ant-{word}{onc}"><span class="ant-{word}-inner" data-t="{kind}" {state}></span></span><span>{say}</span></label><br>'
        if "el_marks" in part:
            word = "radio" if kind == "radio" else "checkbox"
            onc = " is-checked" if on else ""
            return f'<label class="el-{word}{onc}" style="margin:4px 0"><span class="el-{word}__input{onc}"><span class="el-{word}__inner" data-t="{kind}" {state}></span></span><span class="el-{word}__label">{say}</span></label><br>'
        if "prime_marks" in part:
            word = "radiobutton" if kind == "radio" else "checkbox"
            onc = " p-highlight" if on else ""
            tick = (
                '<span class="p-radiobutton-icon"></span>'
                if kind == "radio"
                else ('<span class="p-checkbox-icon">✓</span>' if on else "")
            )
            return f'<div style="margin:4px 0"><div class="p-{word} p-component"><div class="p-{word}-box{onc}" data-t="{kind}" {state}>{tick}</div></div> <label>{say}</label></div>'
        if "bp_marks" in part:
            word = "radio" if kind == "radio" else "checkbox"
            return f'<label class="bp3-control bp3-{word}"><input type="{kind_of_input}" name="{name}"{ticked}{off}><span class="bp3-control-indicator" data-t="{kind}" {state}></span>{say}</label>'
        if "on_marks" in part:
            word = "radio-button" if kind == "radio" else "checkbox"
            return f'<label class="{word}" style="margin:6px 0"><input type="{kind_of_input}" class="{word}__input" name="{name}"{ticked}><span class="{word}__checkmark" data-t="{kind}" {state}></span> {say}</label><br>'
        ident = self.fresh()
        css = self.part("radio") if kind == "radio" and "radio" in part else self.part("check")
        box = f'<input type="{kind_of_input}" id="{ident}" name="{name}" class="{css}"{ticked}{off} data-t="{kind}" {state}>'
        wrap, label = self.part("check_wrap"), self.part("check_label")
        if wrap in ("checkbox", "mui-checkbox"):
            return f'<div class="{wrap if kind == "checkbox" else wrap.replace("checkbox", "radio")}"><label>{box} {say}</label></div>'
        return f'<div class="{wrap}">{box} <label for="{ident}" class="{label}">{say}</label></div>'

    def _first(self, key: str) -> bool:
        if key not in self._picks:
            self._picks[key] = self.r.choice(["1", "1", ""])
        return bool(self._picks[key])

    def _toggle(self, on: bool, ticked: str, state: str) -> str:
        part = self.kit.parts
        if "icon_switch" in part:
            return f'<label class="form-switch"><input type="checkbox"{ticked}><i class="form-icon" data-t="toggle" {state}></i></label>'
        if part.get("switch_wrap") or part.get("switch"):
            return f'<span class="{self.part("switch_wrap")}" style="display:inline-block"><input type="checkbox" role="switch" class="{self.part("switch")}"{ticked} data-t="toggle" {state}></span>'
        if self.kit.name == "pico":
            return f'<input type="checkbox" role="switch"{ticked} data-t="toggle" {state}>'
        if "ant_marks" in part:
            return f'<button type="button" class="ant-switch{" ant-switch-checked" if on else ""}" data-t="toggle" {state}><div class="ant-switch-handle"></div></button>'
        if "el_marks" in part:
            return f'<div class="el-switch{" is-checked" if on else ""}"><span class="el-switch__core" style="width:40px" data-t="toggle" {state}></span></div>'
        if "prime_marks" in part:
            return f'<div class="p-inputswitch p-component{" p-inputswitch-checked" if on else ""}" data-t="toggle" {state}><span class="p-inputswitch-slider"></span></div>'
        if "bp_marks" in part:
            return f'<label class="bp3-control bp3-switch" style="display:inline-block;margin:0"><input type="checkbox"{ticked}><span class="bp3-control-indicator" data-t="toggle" {state}></span></label>'
        if "on_marks" in part:
            return f'<label class="switch"><input type="checkbox" class="switch__input"{ticked}><div class="switch__toggle" data-t="toggle" {state}><div class="switch__handle"></div></div></label>'
        if self._toggle_look is None:
            height = self.r.choice([14, 16, 18, 20, 22, 24, 28])
            width = int(height * self.r.uniform(1.6, 2.2))
            radius, gap = self.r.choice([height, height, height, 4, 0]), self.r.choice([4, 6, 4, -4])
            self._toggle_look = (
                height,
                width,
                radius,
                gap,
                self.r.randint(0, 360),
                self.r.choice(["#ccc", "#bbb", "#999", "#ddd", "#888"]),
            )
        height, width, radius, gap, hue, grey = self._toggle_look
        knob = height - gap
        left = width - knob - gap / 2 if on else gap / 2
        colour = f"hsl({hue},70%,45%)" if on else grey
        return (
            f'<span data-t="toggle" {state} style="display:inline-block;position:relative;vertical-align:middle;width:{width}px;height:{height}px;border-radius:{radius}px;background:{colour}">'
            f'<span style="position:absolute;left:{left}px;top:{gap / 2}px;width:{knob}px;height:{knob}px;border-radius:{radius}px;background:#fff;box-shadow:0 0 2px #0006"></span></span>'
        )

    def input(self, kind: str = "text_input", style: str = "") -> str:
        r = self.r
        wrap = self.part("input_wrap")
        filled = self.odds(0.55)
        value = self.words.value() if filled else ""
        hint = self.words.phrase(1, 3) if not filled and self.odds(0.6) else ""
        off = " disabled" if self.odds(0.06) else (" readonly" if self.odds(0.03) else "")
        typ = "text"
        if kind == "password_input":
            typ, value = "password", "x" * r.randint(5, 12) if self.odds(0.7) else ""
        elif kind == "text_input" and self.odds(0.16):
            typ = r.choice(["number", "date", "search", "email", "time", "number", "date"])
            value = {
                "number": str(r.randint(0, 9999)),
                "date": f"20{r.randint(10, 29)}-0{r.randint(1, 9)}-1{r.randint(0, 9)}",
                "time": f"1{r.randint(0, 9)}:{r.randint(10, 59)}",
            }.get(typ, value)
        focus = ' data-focus="1"' if self.odds(0.03) else ""
        field = f'<input type="{typ}" class="{self.part("input")}" value="{html.escape(value)}" placeholder="{html.escape(hint)}" data-t="{kind}"{off}{focus} style="{style}">'
        return f'<span class="{wrap}">{field}</span>' if wrap else field

    def select(self) -> str:
        choices = [self.words.value() if self.odds(0.5) else self.words.chosen() for _ in range(3)]
        own = self.r.random()
        if own < 0.3:
            tone = self.part("input") or "own-box"
            arrow = self.r.choice(["▾", "▼", "⌄", "", ""]) or icon_tag(self.icons, self.r, 12, "chevron-down")
            style = "display:flex;justify-content:space-between;align-items:center;cursor:pointer;gap:8px;"
            if not self.part("input"):
                style += "border:1px solid #8888;padding:6px 10px;border-radius:4px;"
            return f'<div class="{tone}" data-t="dropdown" role="combobox" style="{style}"><span style="overflow:hidden;white-space:nowrap;text-overflow:ellipsis">{self.text(choices[0])}</span><span aria-hidden="true">{arrow}</span></div>'
        off = " disabled" if self.odds(0.05) else ""
        made = (
            f'<select class="{self.part("select")}" data-t="dropdown"{off}>'
            + "".join(f"<option>{self.text(choice)}</option>" for choice in choices)
            + "</select>"
        )
        return f'<div class="{self.part("select_wrap")}">{made}</div>' if self.part("select_wrap") else made

    def slider(self) -> str:
        at = self.r.randint(0, 100)
        if self.odds(0.5):
            return f'<input type="range" class="{self.part("range")}" value="{at}" data-t="slider">'
        hue, knob, thick = self.r.randint(0, 360), self.r.choice([12, 14, 16, 20]), self.r.choice([2, 4, 6, 8])
        return f'<div data-t="slider" style="position:relative;height:{knob}px;margin:8px 0;min-width:120px"><div style="position:absolute;left:0;right:0;top:{(knob - thick) / 2}px;height:{thick}px;border-radius:4px;background:#bbb"></div><div style="position:absolute;left:0;width:{at}%;top:{(knob - thick) / 2}px;height:{thick}px;border-radius:4px;background:hsl({hue},70%,50%)"></div><div style="position:absolute;left:calc({at}% - {knob / 2}px);width:{knob}px;height:{knob}px;border-radius:50%;background:#fff;border:2px solid hsl({hue},70%,45%)"></div></div>'

    def field(self) -> str:
        r = self.r
        kind = r.choices(
            [
                "text",
                "select",
                "check",
                "radio",
                "toggle",
                "area",
                "slider",
                "password",
                "group",
                "radio_cards",
                "file",
                "chips",
            ],
            [36, 16, 9, 8, 7, 5, 4, 4, 7, 3, 2, 2],
        )[0]
        label = self.text(self.words.label())
        ident = self.fresh()
        head = f'<label class="{self.part("label")}">{label}</label>'
        if kind == "text":
            body = self.input()
        elif kind == "password":
            body = self.input("password_input")
        elif kind == "select":
            body = self.select()
        elif kind == "area":
            words = self.words.sentence(4, 30) if self.odds(0.5) else ""
            made = f'<textarea class="{self.part("textarea")}" rows="{r.randint(2, 5)}" data-t="textarea" placeholder="{html.escape(self.words.phrase(1, 3)) if not words else ""}">{self.text(words)}</textarea>'
            body = f'<span class="{self.part("textarea_wrap")}">{made}</span>' if self.part("textarea_wrap") else made
        elif kind == "slider":
            body = self.slider()
        elif kind in ("check", "radio", "toggle"):
            count = r.randint(2, 4) if kind == "radio" or self.odds(0.35) else 1
            chosen = r.randrange(count)
            across = self.odds(0.4)
            marks = [
                self.mark(
                    {"check": "checkbox"}.get(kind, kind),
                    index == chosen if kind == "radio" else self.odds(0.5),
                    ident,
                    self.words.phrase(1, 3) if self.odds(0.6) else self.words.noun(),
                )
                for index in range(count)
            ]
            body = (
                f'<div style="display:flex;gap:4px 18px;flex-wrap:wrap">{"".join(f"<div>{mark}</div>" for mark in marks)}</div>'
                if across
                else "".join(marks)
            )
            head = f"<div>{label}</div>" if count > 1 else ""
        elif kind == "radio_cards":
            body, head = self.radio_cards(), f"<div>{label}</div>"
        elif kind == "group":
            body = self.input_group()
        elif kind == "file":
            body = f'<div style="display:flex;gap:6px;align-items:center">{self.button()}<span>{self.text(self.words.phrase(2, 3))}</span></div>'
        else:
            chips = "".join(
                f'<span data-t="button" style="display:inline-block;border:1px solid #8886;border-radius:14px;padding:2px 10px;margin:2px">{self.text(self.words.noun())}{" ×" if self.odds(0.5) else ""}</span>'
                for _ in range(r.randint(2, 5))
            )
            body = f"<div>{chips}</div>"
        hint = f'<small style="opacity:.75">{self.text(self.words.sentence(3, 7))}</small>' if self.odds(0.1) else ""
        if self.side_labels and "label" in head:
            return f'<div class="{self.part("field")}" style="display:flex;gap:12px;align-items:center;margin-bottom:{self.gap}px"><div style="width:{self.label_px}px;text-align:{self.label_side};flex:none">{head}</div><div style="flex:1;min-width:0">{body}{hint}</div></div>'
        return f'<div class="{self.part("field")}" style="margin-bottom:{self.gap}px">{head}{body}{hint}</div>'

    def input_group(self) -> str:
        kind = self.r.randrange(4)
        if kind == 0 and self.part("group"):
            return f'<div class="{self.part("group")}"><span class="{self.part("group_text")}">{self.r.choice(["@", "€", "https://", "%"])}</span>{self.input()}{self.button()}</div>'
        if kind == 1:
            return f'<div style="display:flex;gap:{self.r.choice([0, 4, 8])}px;align-items:stretch"><div style="flex:1;min-width:0">{self.input()}</div>{self.button(only_icon=self.odds(0.6))}</div>'
        if kind == 2:
            return f'<div style="position:relative">{self.input(style="padding-right:34px;width:100%")}<span style="position:absolute;right:4px;top:50%;transform:translateY(-50%)">{self.ghost(16)}</span></div>'
        return f'<div style="position:relative">{self.input(style="padding-left:34px;width:100%")}<span style="position:absolute;left:10px;top:50%;transform:translateY(-50%);pointer-events:none;opacity:.7">{self.icon(14)}</span></div>'

    def radio_cards(self) -> str:
        count = self.r.randint(2, 4)
        chosen = self.r.randrange(count)
        round_px, hue = self.r.choice([0, 4, 8, 12]), self.r.randint(0, 360)
        cards = ""
        for index in range(count):
            edge = f"2px solid hsl({hue},70%,50%)" if index == chosen else "1px solid #8886"
            mark = (
                f'<input type="radio"{" checked" if index == chosen else ""} style="margin-right:8px">'
                if self.odds(0.5) and not OWN_MARKS & set(self.kit.parts)
                else ""
            )
            cards += f'<div data-t="radio" data-on="{int(index == chosen)}" style="border:{edge};border-radius:{round_px}px;padding:10px 14px;flex:1">{mark}<b>{self.text(self.words.noun())}</b><br><small>{self.text(self.words.phrase(2, 5))}</small></div>'
        return f'<div style="display:flex;gap:10px">{cards}</div>'
