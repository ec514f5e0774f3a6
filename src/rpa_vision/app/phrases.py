"""What a step does, expects or asks, in plain words of two languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rpa_vision.app.french_terms import ERROR_KINDS
from rpa_vision.app.sentences import condition_words
from rpa_vision.models.action import Action
from rpa_vision.models.guidance import Language
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import EdgeCondition, Loop, RecoveryAction

_TEXTS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "click1": "Click {where}", "click2": "Double-click {where}", "click3": "Triple-click {where}",
        "button": " ({button} button)", "middle": "middle", "right": "right",
        "type": "Type {what}", "replace": "Replace what {where} holds by {what}", "into": " into {where}",
        "secret": "the secret “{name}”", "press": "Press {keys}", "scroll": "Scroll {way}", "drag": "Drag {where}",
        "drop": " onto {where}", "wait": "Wait {seconds} s", "switch": "Switch to {app}",
        "titled": " (window “{title}”)", "copy": "Copy {where} to the clipboard", "paste": "Paste the clipboard{into}",
        "set": "Put {what} on the clipboard", "paste_text": "Paste {what}{into}",
        "extract": "Read {where} as “{name}”", "nothing": "Look at the screen", "row": "in the row of {rows}",
        "column": "under “{column}”", "field": "the field", "thing": "the {kind}", "quote": "“{text}”",
        "if": "If {rule}:", "if_screen": "If the screen “{screen}” shows:", "otherwise": "Otherwise:",
        "ask": "Nobody knows yet what decides here. To be answered first: {question}",
        "each": "For each row of {list}{where}:", "where": " where {rule}", "at_most": "At most {count} rows.",
        "bind": "Take from the row: {bindings}.", "page": "When no rows are left on the page: {what}",
        "go_on": "Go on with step {number}.", "done": "Done.", "expect": "Expect {what}.",
        "shows": "the screen “{screen}”",
        "differ": "People left it in different ways ({ways}): a person has to choose.",
        "any": "Whenever the screen “{screen}” appears ({kind}):", "back": "Then go on at “{screen}”.",
        "run": "Run the workflow {name}.", "screen": "On the screen “{screen}”:", "needs": "What it needs",
        "steps": "Steps", "errors": "If something comes up", "example": "such as {examples}", "optional": "optional",
        "problems": "What is wrong with it", "read": "read from the screen", "given": "given before it runs",
        "system_time": "the time of the run", "clipboard": "from the clipboard", "version": "version {number}",
        "same": "“{name}” is read from “{source}”", "down": "down", "up": "up", "left": "left", "across": "right",
    },
    "fr": {
        "click1": "Cliquer sur {where}", "click2": "Double-cliquer sur {where}", "click3": "Triple-cliquer sur {where}",
        "button": " (bouton {button})", "middle": "du milieu", "right": "droit",
        "type": "Saisir {what}", "replace": "Remplacer ce que contient {where} par {what}", "into": " dans {where}",
        "secret": "le secret « {name} »", "press": "Appuyer sur {keys}", "scroll": "Faire défiler {way}",
        "drag": "Glisser {where}", "drop": " sur {where}", "wait": "Attendre {seconds} s",
        "switch": "Passer à {app}", "titled": " (fenêtre « {title} »)", "copy": "Copier {where} dans le presse-papiers",
        "paste": "Coller le presse-papiers{into}", "set": "Mettre {what} dans le presse-papiers",
        "paste_text": "Coller {what}{into}",
        "extract": "Lire {where} : « {name} »", "nothing": "Regarder l’écran", "row": "sur la ligne de {rows}",
        "column": "sous « {column} »", "field": "le champ", "thing": "{kind}", "quote": "« {text} »",
        "if": "Si {rule} :", "if_screen": "Si l’écran « {screen} » est affiché :", "otherwise": "Sinon :",
        "ask": "On ne sait pas encore ce qui décide ici. Question à trancher d’abord : {question}",
        "each": "Pour chaque ligne de {list}{where} :", "where": " où {rule}", "at_most": "Au plus {count} lignes.",
        "bind": "Prendre sur la ligne : {bindings}.", "page": "Quand la page n’a plus de lignes : {what}",
        "go_on": "Continuer à l’étape {number}.", "done": "Terminé.", "expect": "Ensuite : {what}.",
        "shows": "l’écran « {screen} »",
        "differ": "On en est sorti de plusieurs façons ({ways}) : une personne doit choisir.",
        "any": "À tout moment, si l’écran « {screen} » apparaît ({kind}) :", "back": "Puis reprendre à « {screen} ».",
        "run": "Lancer le workflow {name}.", "screen": "Sur l’écran « {screen} » :", "needs": "Ce qu’il faut",
        "steps": "Étapes", "errors": "En cas d’imprévu", "example": "par exemple {examples}", "optional": "facultatif",
        "problems": "Ce qui ne va pas", "read": "lu à l’écran", "given": "donné avant l’exécution",
        "system_time": "le moment de l’exécution", "clipboard": "depuis le presse-papiers",
        "version": "version {number}",
        "same": "« {name} » est lu dans « {source} »", "down": "vers le bas", "up": "vers le haut",
        "left": "vers la gauche", "across": "vers la droite",
    },
}  # fmt: skip

_KINDS_FR: Final = {
    "button": "le bouton", "link": "le lien", "checkbox": "la case", "radio": "l’option", "toggle": "l’interrupteur",
    "dropdown": "la liste", "tab": "l’onglet", "menu_item": "le menu", "table_row": "la ligne", "cell": "la cellule",
    "list_item": "l’élément", "icon": "l’icône", "image": "l’image", "label": "le texte", "heading": "le titre",
    "dialog": "la boîte de dialogue", "slider": "le curseur", "scrollbar": "la barre de défilement",
    "table": "le tableau", "textarea": "la zone de texte",
}  # fmt: skip
_FIELDS: Final = ("text_input", "password_input", "textarea")
_CONDITIONS_FR: Final = {
    "element": "l’élément {} est visible", "text_present": "« {} » est affiché", "text_appears": "« {} » apparaît",
    "text_absent": "« {} » n’est pas affiché", "text_vanishes": "« {} » disparaît",
    "window_title_changed": "le titre de la fenêtre change",
    "window_title_contains": "« {} » figure dans le titre de la fenêtre", "screen_changed": "l’écran change",
    "field_contains": "le champ contient « {} »", "row_says": "la ligne indique « {} »",
    "target_changed": "la cible change d’aspect", "elsewhere_changed": "autre chose que la cible change",
}  # fmt: skip
_RECOVERIES: Final[Mapping[str, tuple[str, str]]] = {
    "click_ok_button": ("Click OK.", "Cliquer sur OK."),
    "close_dialog": ("Close the dialog.", "Fermer la boîte de dialogue."),
    "return_to_previous": ("Go back to the screen before.", "Revenir à l’écran précédent."),
    "trigger_login_workflow": ("Log in again.", "Se reconnecter."),
}


class Phrases:
    """The words of one language. Variables keep their names, in braces as people write them."""

    def __init__(self, language: Language = "en") -> None:
        self.language = language
        self._texts = _TEXTS[language]

    def say(self, key: str, **parts: object) -> str:
        """One of the fixed texts."""
        return self._texts[key].format(**parts)

    def quote(self, template: str) -> str:
        """Something as it is written on the screen."""
        return self.say("quote", text=shown(template))

    def action(self, action: Action | None) -> str:
        """What an action does."""
        if action is None:
            return self.say("nothing")
        where, given = self.target(action.target), action.parameters
        if action.type == "mouse_click":
            button = "" if given.button == "left" else self.say("button", button=self.say(given.button))
            return self.say(f"click{given.click_count}", where=where) + button
        if action.type == "text_input":
            secret = given.secret_ref
            what = self.say("secret", name=secret) if secret is not None else self.quote(given.text or "")
            if given.replace_existing:
                return self.say("replace", where=where or self.say("field"), what=what)
            return self.say("type", what=what) + (self.say("into", where=where) if where else "")
        if action.type == "key_press":
            return self.say("press", keys="+".join(action.keys or ()))
        if action.type == "scroll":
            across, down = given.scroll or (0, 1)
            way = ("down" if down > 0 else "up") if down else ("across" if across > 0 else "left")
            return self.say("scroll", way=self.say(way))
        if action.type == "drag":
            onto = self.target(getattr(given, "drop_target", None))
            return self.say("drag", where=where) + (self.say("drop", where=onto) if onto else "")
        if action.type == "wait":
            return self.say("wait", seconds=f"{(action.duration_ms or 0) / 1000:g}")
        if action.type == "window_switch":
            titled = self.say("titled", title=given.title_contains) if given.title_contains else ""
            return self.say("switch", app=action.target_app) + titled
        if action.type == "clipboard":
            pastes_text = given.clipboard_operation == "paste" and given.text is not None
            operation = "paste_text" if pastes_text else given.clipboard_operation or "copy"
            into = self.say("into", where=where) if where else ""
            return self.say(operation, where=where, into=into, what=self.quote(given.text or ""))
        if action.type == "extract":
            return self.say("extract", where=where, name=given.extract_to or "?")
        return " ; ".join(self.action(step) for step in action.steps or ())

    def target(self, target: TargetSpec | None) -> str:
        """What an action is aimed at."""
        if target is None:
            return ""
        kind = target.type or "target"
        if kind in _FIELDS:
            named = self.say("field")
        elif self.language == "fr":
            named = _KINDS_FR.get(kind, "la cible")
        else:
            named = self.say("thing", kind=kind.replace("_", " "))
        parts = [named, self.quote(target.label) if target.label else ""]
        if target.row_contains:
            parts.append(self.say("row", rows=", ".join(map(self.quote, target.row_contains))))
        column = getattr(target, "column", None)
        if column:
            parts.append(self.say("column", column=column))
        return " ".join(part for part in parts if part)

    def condition(self, condition: str) -> str:
        """What is expected after a step."""
        if self.language == "en":
            return shown(condition_words(condition))
        name, _, argument = condition.partition(":")
        told = _CONDITIONS_FR.get(name)
        return told.format(shown(argument)) if told is not None else condition

    def fork(self, condition: EdgeCondition, screens: Mapping[str, str]) -> str:
        """When a way is taken."""
        if condition.type == "screen_similarity":
            return self.say("if_screen", screen=screens.get(condition.target_node or "", condition.target_node))
        question = getattr(condition, "question", None)
        if condition.expression is None and question is not None:
            return self.say("ask", question=question.question)
        return self.say("if", rule=rule(condition.expression or ""))

    def loop(self, loop: Loop) -> list[str]:
        """What a loop goes round, in one line and its remarks."""
        where = self.say("where", rule=rule(loop.filter)) if loop.filter else ""
        bound = ", ".join(
            self.say("same", name=name, source=_cell(cell)) for name, cell in loop.variable_binding.items()
        )
        remarks = [self.say("bind", bindings=bound)] if bound else []
        question = getattr(loop, "question", None)
        if question is not None:
            remarks.append(self.say("ask", question=question.question))
        remarks.append(self.say("at_most", count=loop.max_iterations))
        return [self.say("each", list=self.quote(_cell(loop.iterator)), where=where), *remarks]

    def recovery(self, way_out: RecoveryAction, screens: Mapping[str, str]) -> list[str]:
        """The way out of an error."""
        lines = [f"{self.action(step)}." for step in way_out.steps or ()]
        if not lines and way_out.workflow_id is not None:
            lines.append(self.say("run", name=way_out.workflow_id))
        elif not lines:
            told = _RECOVERIES.get(way_out.action)
            lines.append(told[self.language == "fr"] if told is not None else way_out.action)
        if way_out.return_to_node is not None:
            lines.append(self.say("back", screen=screens.get(way_out.return_to_node, way_out.return_to_node)))
        return lines

    def error_kind(self, kind: str | None) -> str:
        """What sort of error it is."""
        name = kind or "generic"
        return ERROR_KINDS.get(name, name) if self.language == "fr" else name.replace("_", " ")


def shown(template: str) -> str:
    """A template as people read it: `{name}` for a variable, a plain dollar sign."""
    return template.replace("$$", "\0").replace("${", "{").replace("\0", "$")


def rule(expression: str) -> str:
    """An expression as people read it."""
    return expression.replace("variables.", "")


def _cell(source: str) -> str:
    return source.removeprefix("row.")
