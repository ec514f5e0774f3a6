"""The looks of the split `final`: for `bench relocate` alone, scored before anything was tuned on them."""

from __future__ import annotations

from factory.kit import Kit

_PLAIN = "body{font-family:sans-serif;font-size:14px}"
_CARDS = ".own-card{border:1px solid #8884;border-radius:4px;padding:10px}"
_NATIVE_MARKS = (
    "input[type=checkbox],input[type=radio]{appearance:auto!important;width:16px!important;height:16px!important;min-width:0!important;"
    "opacity:1!important;position:static!important;margin:2px 6px 2px 0!important;display:inline-block!important}"
)
_WINJS = {
    "input": "win-textbox",
    "select": "win-dropdown",
    "textarea": "win-textarea",
    "link": "win-link",
    "range": "win-slider",
}
_HOLDS = "body{max-width:none!important;margin:0!important;padding:0 6px!important}"

FINAL: tuple[Kit, ...] = (
    Kit(
        "aui",
        ("@atlassian/aui/dist/aui/aui-prototyping.css",),
        {
            "input": "text", "select": "select", "textarea": "textarea", "table": "aui", "tabs_wrap": "aui-tabs horizontal-tabs", "tabs": "tabs-menu", "tab_item": "menu-item", "tab_on_item": "active-tab",
            "dialog": "aui-dialog2 aui-dialog2-medium", "dialog_head": "aui-dialog2-header", "dialog_body": "aui-dialog2-content", "dialog_foot": "aui-dialog2-footer", "menu": "aui-nav", "crumbs": "aui-nav aui-nav-breadcrumbs",
            "badge": "aui-lozenge|aui-lozenge aui-lozenge-success|aui-lozenge aui-lozenge-error|aui-badge", "alert": "aui-message aui-message-warning|aui-message aui-message-success", "btn_group": "aui-buttons",
        },
        tuple(f"aui-button {tone}" for tone in ("aui-button-primary", "", "", "aui-button-subtle", "aui-button-link")),
        split="final",
        extra=_PLAIN + _CARDS + ".text,.select,.textarea{border:2px solid #dfe1e6;border-radius:3px;padding:5px 6px;background:#fafbfc;box-sizing:border-box;min-width:0!important;max-width:100%!important}.aui-dialog2{position:fixed;background:#fff;display:block}",
    ),
    Kit(
        "zent",
        ("zent/css/index.css",),
        {
            "input_wrap": "zent-input-wrapper", "input": "zent-input", "textarea_wrap": "zent-input-wrapper", "textarea": "zent-input", "label": "zent-form-label", "card": "zent-card", "card_body": "zent-card-body", "tabs_wrap": "zent-tabs zent-tabs-type__normal|zent-tabs zent-tabs-type__card",
            "tabs": "zent-tabs-nav-tabs-content", "tabs_tag": "div", "tab": "zent-tabs-tab", "tab_on": "zent-tabs-tab__actived", "dialog": "zent-dialog-r", "dialog_head": "zent-dialog-r-title", "dialog_body": "zent-dialog-r-body", "dialog_foot": "zent-dialog-r-footer",
            "menu": "zent-menu", "menu_item": "zent-menu-item", "crumbs": "zent-breadcrumb", "badge": "zent-tag zent-tag-style-filled|zent-tag zent-tag-style-outline", "alert": "zent-alert zent-alert-style-warning|zent-alert zent-alert-style-info", "btn_group": "zent-btn-group",
        },
        tuple(f"zent-btn {tone}" for tone in ("zent-btn-primary", "zent-btn-default", "zent-btn-primary-outline", "zent-btn-danger", "zent-btn-text")),
        split="final",
        extra=_PLAIN + _CARDS + "td,th{padding:8px 12px;text-align:left;border-bottom:1px solid #ebedf0}.zent-tabs-tab{display:inline-block;padding:8px 14px}.zent-tabs-tab__actived{border-bottom:2px solid #155bd4}.zent-dialog-r{position:fixed;background:#fff}.zent-card{border:1px solid #e0e0e0;padding:10px}",
    ),
    Kit(
        "heyui",
        ("heyui/themes/index.css",),
        {
            "input": "h-input", "select": "h-input", "textarea": "h-textarea", "card": "h-panel", "card_head": "h-panel-bar", "card_title": "h-panel-title", "card_body": "h-panel-body", "tabs": "h-tabs h-tabs-default|h-tabs h-tabs-card", "tabs_tag": "div", "tab": "h-tabs-item",
            "tab_on": "h-tabs-item-selected", "dialog_head": "h-modal-header", "dialog_foot": "h-modal-footer", "badge": "h-tag|h-tag h-tag-bg-primary|h-tag h-tag-bg-red", "btn_group": "h-btn-group", "crumbs": "h-breadcrumb",
        },
        tuple(f"h-btn {tone}" for tone in ("h-btn-primary", "", "h-btn-green", "h-btn-red", "h-btn-text")),
        split="final",
        extra=_PLAIN + _CARDS + _NATIVE_MARKS + "table{border-collapse:collapse}td,th{padding:8px 10px;text-align:left;border-bottom:1px solid #eee}.h-tabs-item{display:inline-block;padding:8px 14px}.h-panel{border:1px solid #eee;padding:8px}",
    ),
    *(
        Kit(
            f"winjs-{theme}",
            (f"winjs/css/ui-{theme}.css",),
            _WINJS,
            ("win-button win-button-primary", "win-button", "win-button"),
            split="final",
            dark="always" if theme == "dark" else "",
            weight=0.6,
            extra=_CARDS + "body{font-size:15px;overflow:auto;background:" + ("#1d1d1d" if theme == "dark" else "#fff") + "}a{color:" + ("#8cf" if theme == "dark" else "#0067b8") + "}.win-textbox,.win-dropdown{margin:2px 0;min-width:64px;width:100%}td,th{padding:6px 10px}",
        )
        for theme in ("light", "dark")
    ),
    Kit(
        "terminal",
        ("terminal.css/dist/terminal.css",),
        {"card": "terminal-card", "alert": "terminal-alert|terminal-alert terminal-alert-primary", "btn_group": "btn-group", "body": "terminal"},
        tuple(f"btn {tone}" for tone in ("btn-primary", "btn-default", "btn-ghost btn-default", "btn-error", "btn-primary btn-ghost")),
        split="final",
        extra=_HOLDS + _CARDS + ".terminal-card{padding:8px}",
    ),
    Kit(
        "system",
        ("@sakun/system.css/dist/system.css",),
        {"card": "window-pane", "dialog": "standard-dialog"},
        ("btn", "btn", "btn btn-default"),
        split="final",
        extra=_NATIVE_MARKS + _CARDS + "body{padding:0 6px}input[type=checkbox]+label::before,input[type=checkbox]+label::after,input[type=radio]+label::before,input[type=radio]+label::after{content:none!important}.standard-dialog{position:fixed;background:#fff}label{position:static!important}input,select,textarea,button{max-width:100%;min-width:0!important;box-sizing:border-box}",
    ),
    Kit("holiday", ("holiday.css/dist/holiday.css",), {}, ("",), split="final", dark="", extra=_HOLDS + _CARDS),
    Kit(
        "siimple",
        ("siimple/siimple.css",),
        {
            "input": "input", "select": "select", "textarea": "textarea", "label": "label", "table": "table|table is-bordered", "card": "card", "badge": "badge", "alert": "alert", "crumbs": "breadcrumb", "crumb": "crumb", "menu": "menu",
        },
        ("button", "button is-secondary", "button", "button is-pill"),
        split="final",
        extra=_PLAIN + _CARDS + _NATIVE_MARKS,
    ),
    Kit(
        "mobi",
        ("mobi.css/dist/mobi.css",),
        {"table": "table", "field": "form"},
        ("btn btn-primary", "btn", "btn", "btn btn-danger"),
        split="final",
        extra=_CARDS + "td,th{padding:6px 10px}.form{margin:0;padding:0}",
    ),
    *(
        Kit(f"awsm-{theme}", (f"awsm.css/dist/awsm_theme_{theme}.css",), {}, ("",), split="final", weight=0.6, dark="always" if theme == "black" else "", extra=_HOLDS + _CARDS)
        for theme in ("gondola", "black")
    ),
)  # fmt: skip
