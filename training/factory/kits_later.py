"""The looks of the split `later`: for `bench relocate` alone, scored before anything was tuned on them."""

from __future__ import annotations

from factory.kit import Kit

_PLAIN = "body{font-family:sans-serif;font-size:14px}"
_CARDS = ".own-card{border:1px solid #8884;border-radius:4px;padding:10px}"
_NATIVE_MARKS = (
    "input[type=checkbox],input[type=radio]{appearance:auto!important;width:16px!important;height:16px!important;min-width:0!important;"
    "opacity:1!important;position:static!important;margin:2px 6px 2px 0!important;display:inline-block!important}"
)
_TOPCOAT = {
    "input": "topcoat-text-input", "select": "topcoat-text-input", "textarea": "topcoat-textarea", "range": "topcoat-range", "tabs": "topcoat-button-bar", "tabs_tag": "div",
    "tab": "topcoat-button-bar__button", "tab_on": "topcoat-button--cta", "nav": "topcoat-tab-bar", "nav_bare": "1", "badge": "topcoat-notification", "btn_group": "topcoat-button-bar",
}  # fmt: skip

LATER: tuple[Kit, ...] = (
    *(
        Kit(
            f"topcoat-{theme}",
            (f"topcoat/css/topcoat-desktop-{theme}.css",),
            _TOPCOAT,
            ("topcoat-button--cta", "topcoat-button", "topcoat-button", "topcoat-button--quiet"),
            split="later",
            dark="always" if theme == "dark" else "",
            weight=0.6,
            extra=_PLAIN + _CARDS + "body{background:" + ("#4a4d4e;color:#eee" if theme == "dark" else "#dfe2e2") + "}.topcoat-tab-bar{display:block;padding:6px}td,th{padding:5px 9px}",
        )
        for theme in ("light", "dark")
    ),
    Kit(
        "fusion",
        ("@alifd/next/dist/next.css",),
        {
            "input_wrap": "next-input next-medium", "input": "next-input-inner", "textarea_wrap": "next-input next-input-textarea", "textarea": "next-input-inner", "label": "next-form-item-label", "field": "next-form-item next-medium",
            "table_wrap": "next-table|next-table only-bottom-border|next-table zebra", "table": "next-table-inner", "thead": "next-table-header", "tbody": "next-table-body", "row": "next-table-row", "th": "next-table-header-node",
            "td": "next-table-cell", "card": "next-card next-card-free|next-card next-card-show-divider", "card_head": "next-card-head", "card_title": "next-card-title", "card_body": "next-card-body", "tabs_wrap": "next-tabs next-tabs-pure next-medium|next-tabs next-tabs-wrapped next-tabs-top next-medium",
            "tabs": "next-tabs-nav", "tab_item": "next-tabs-tab", "tab_on_item": "active", "tab": "next-tabs-tab-inner", "dialog": "next-dialog", "dialog_head": "next-dialog-header", "dialog_body": "next-dialog-body",
            "dialog_foot": "next-dialog-footer", "menu": "next-menu next-ver", "menu_item": "next-menu-item", "crumbs": "next-breadcrumb", "crumb": "next-breadcrumb-item", "badge": "next-tag next-tag-default next-small next-tag-level-normal|next-tag next-tag-default next-small next-tag-level-primary",
            "alert": "next-message next-message-notice next-inline next-medium|next-message next-message-warning next-inline next-medium", "btn_group": "next-btn-group",
        },
        tuple(f"next-btn next-medium {tone}" for tone in ("next-btn-primary", "next-btn-normal", "next-btn-secondary", "next-btn-normal next-btn-warning", "next-btn-text next-btn-primary")),
        split="later",
        extra=_PLAIN + ".next-dialog{position:fixed}.next-table td,.next-table th{padding:8px 12px;text-align:left}.next-tabs-tab{display:inline-block}.next-card{padding:8px 14px}.next-input{display:inline-flex}",
    ),
    Kit(
        "momentum",
        ("@momentum-ui/core/css/momentum-ui.min.css",),
        {
            "input": "md-input", "select": "md-input", "textarea": "md-input", "field": "md-input-container", "card": "md-card", "card_body": "md-card-section", "tabs_wrap": "md-tab md-tab--tabs|md-tab md-tab--pills", "tabs": "md-tab__list",
            "tab_item": "md-tab__item", "tab_on_item": "active", "tab": "md-tab__link", "list": "md-list", "list_item": "md-list-item", "dialog": "md-modal__content", "dialog_head": "md-modal__header", "dialog_body": "md-modal__body",
            "dialog_foot": "md-modal__footer", "menu": "md-list", "menu_item": "md-list-item", "badge": "md-badge md-badge--blue|md-badge md-badge--red|md-badge md-badge--green", "alert": "md-alert-banner|md-alert-banner md-alert-banner--warning",
            "btn_group": "md-button-group", "table": "md-data-table",
        },
        tuple(f"md-button md-button--36 md-button--{tone}" for tone in ("blue", "green", "red", "white", "none")),
        split="later",
        extra=_PLAIN + _CARDS + _NATIVE_MARKS + ".md-card{width:auto!important;height:auto!important;border:1px solid #d0d0d0}.md-input{height:36px}textarea.md-input{height:auto}td,th{padding:6px 10px;text-align:left}.md-tab__item{display:inline-block}",
    ),
    Kit(
        "beer",
        ("beercss/dist/cdn/beer.min.css",),
        {
            "input_wrap": "field border", "select_wrap": "field border", "textarea_wrap": "field textarea border", "table": "border|stripes|", "card_tag": "article", "card": "border", "tabs": "tabs", "tabs_tag": "div", "tab_on": "active",
            "badge": "chip small", "menu": "list border", "small": "small", "large": "large",
        },
        ("", "fill", "border", "transparent", "secondary", "error"),
        split="later",
        extra=_NATIVE_MARKS + "body{font-size:14px;overflow:auto!important;height:auto!important;display:block!important}.field{margin:0!important}.tabs>a{padding:8px 16px}.own-card{border:1px solid #bbb;border-radius:12px;padding:12px}",
    ),
    Kit("hiq", ("hiq/dist/hiq.css",), {}, ("button", "button is-small", "is-unstyled", "button"), split="later", extra=_PLAIN + _CARDS),
    Kit(
        "new-css",
        ("@exampledev/new.css/new.css",),
        {},
        ("",),
        split="later",
        extra="body{max-width:none!important;margin:0!important;padding:0 8px!important}header{margin:0 0 8px!important;padding:8px!important}" + _CARDS,
    ),
    Kit(
        "bamboo",
        ("bamboo.css/dist/light.min.css",),
        {},
        ("",),
        split="later",
        extra="body{max-width:none!important;margin:0!important;padding:0!important;font-size:15px}" + _CARDS,
    ),
)  # fmt: skip
