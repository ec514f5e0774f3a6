"""The looks of the split `last`: for `bench relocate` alone, scored before anything was tuned on them."""

from __future__ import annotations

from factory.kit import Kit

_PLAIN = "body{font-family:sans-serif;font-size:14px}"
_IDS = {
    "field": "field", "label": "label", "select": "dropdown", "textarea": "textarea", "check": "checkbox", "check_label": "checkbox-label",
    "radio": "radio", "table": "datagrid|table", "card": "card", "card_head": "card-header", "card_title": "card-title",
    "card_body": "card-content", "tabs": "tab-list", "tabs_wrap": "tab-container", "tab_item": "tab", "tab_on_item": "is-selected",
    "dialog": "modal-content", "dialog_head": "modal-header", "dialog_title": "modal-title", "dialog_body": "modal-body",
    "dialog_foot": "modal-buttonset", "badge": "tag|tag good|tag alert|badge", "alert": "message-text", "menu": "popupmenu is-open",
    "nav": "header", "nav_bare": "1", "crumbs": "breadcrumb",
}  # fmt: skip
_IDS_MENDED = (
    ".popupmenu{position:static!important}.tab-list>li{display:inline-block}.header{height:auto;position:static}"
    "input.checkbox,input.radio{position:static!important;opacity:1!important;clip:auto!important;height:16px!important;width:16px!important;"
    "appearance:auto!important}.checkbox-label::before,.checkbox-label::after{display:none!important}"
    "select.dropdown{display:inline-block!important;opacity:1!important;height:36px;position:static!important;width:240px;font-size:16px;padding:0 8px}"
)

LAST: tuple[Kit, ...] = (
    Kit(
        "tdesign",
        ("tdesign-react/dist/tdesign.min.css",),
        {
            "input_wrap": "t-input", "input": "t-input__inner", "select": "t-input", "textarea_wrap": "t-textarea", "textarea": "t-textarea__inner",
            "label": "t-form__label", "field": "t-form__item", "table_wrap": "t-table", "table": "t-table--layout-auto",
            "table_more": "|t-table--striped|t-table--hoverable|t-table--bordered", "thead": "t-table__header", "tbody": "t-table__body", "card": "t-card t-card--bordered",
            "card_head": "t-card__header", "card_title": "t-card__title", "card_body": "t-card__body", "tabs": "t-tabs__nav-container", "tabs_tag": "div",
            "tab": "t-tabs__nav-item t-size-m", "tab_on": "t-is-active", "nav": "t-head-menu t-menu--light|t-head-menu t-menu--dark", "nav_bare": "1",
            "nav_link": "t-menu__item", "nav_on": "t-is-active", "list": "t-list t-list--split", "list_item": "t-list-item", "dialog": "t-dialog t-dialog--default",
            "dialog_head": "t-dialog__header", "dialog_body": "t-dialog__body", "dialog_foot": "t-dialog__footer",
            "badge": "t-tag t-tag--success t-tag--light|t-tag t-tag--warning t-tag--light|t-tag t-tag--default t-tag--dark", "alert": "t-alert t-alert--info|t-alert t-alert--warning|t-alert t-alert--success",
            "menu": "t-dropdown__menu", "menu_item": "t-dropdown__item t-dropdown__item--theme-default", "crumbs": "t-breadcrumb", "crumb": "t-breadcrumb__item",
            "small": "t-size-s", "large": "t-size-l",
        },
        tuple(
            f"t-button t-button--variant-{variant} t-button--theme-{theme}"
            for variant, theme in (("base", "primary"), ("base", "default"), ("outline", "default"), ("base", "danger"), ("text", "primary"), ("dashed", "default"))
        ),
        split="last",
        extra=_PLAIN + ".t-table td,.t-table th{padding:8px 12px}.t-list-item{display:flex}select.t-input{width:100%}:root{--td-font-family:sans-serif!important}.t-tabs__nav-item{display:inline-block;padding:0 16px;line-height:40px}",
    ),
    Kit(
        "semi",
        ("@douyinfe/semi-ui/dist/css/semi.min.css",),
        {
            "input_wrap": "semi-input-wrapper semi-input-wrapper-default", "input": "semi-input semi-input-default", "select": "semi-select", "textarea_wrap": "semi-input-textarea-wrapper",
            "textarea": "semi-input-textarea", "label": "semi-form-field-label", "field": "semi-form-field", "table_wrap": "semi-table-wrapper semi-table-bordered|semi-table-wrapper",
            "table": "semi-table", "thead": "semi-table-thead", "tbody": "semi-table-tbody", "row": "semi-table-row", "th": "semi-table-row-head", "td": "semi-table-row-cell",
            "card": "semi-card semi-card-bordered", "card_head": "semi-card-header", "card_body": "semi-card-body", "tabs": "semi-tabs-bar semi-tabs-bar-line semi-tabs-bar-top|semi-tabs-bar semi-tabs-bar-card semi-tabs-bar-top",
            "tabs_tag": "div", "tab": "semi-tabs-tab semi-tabs-tab-line semi-tabs-tab-top semi-tabs-tab-single", "tab_on": "semi-tabs-tab-active", "nav": "semi-navigation semi-navigation-horizontal", "nav_bare": "1",
            "nav_link": "semi-navigation-item semi-navigation-item-normal", "nav_on": "semi-navigation-item-selected", "list": "semi-list semi-list-split semi-list-bordered", "list_item": "semi-list-item",
            "dialog": "semi-modal-content", "dialog_head": "semi-modal-header", "dialog_title": "semi-modal-title", "dialog_body": "semi-modal-body", "dialog_foot": "semi-modal-footer",
            "badge": "semi-tag semi-tag-default semi-tag-green-light|semi-tag semi-tag-default semi-tag-red-light|semi-tag semi-tag-default semi-tag-blue-solid",
            "alert": "semi-banner semi-banner-info|semi-banner semi-banner-warning|semi-banner semi-banner-success", "menu": "semi-dropdown-menu", "menu_item": "semi-dropdown-item",
            "pages": "semi-page", "page_item": "semi-page-item", "page_on": "semi-page-item-active", "btn_group": "semi-button-group", "small": "semi-button-size-small", "large": "semi-button-size-large",
        },
        tuple(
            f"semi-button semi-button-{tone}"
            for tone in ("primary", "primary semi-button-light", "tertiary semi-button-light", "danger", "secondary semi-button-outline", "primary semi-button-borderless")
        ),
        split="last",
        extra=_PLAIN + "select.semi-select{height:32px;padding:0 8px;width:100%}.semi-navigation-item{display:inline-block;width:auto;padding:8px 12px}.semi-navigation-horizontal{height:auto;min-height:52px}",
    ),
    Kit(
        "at-ui",
        ("at-ui-style/css/at.min.css",),
        {
            "input_wrap": "at-input", "input": "at-input__original", "textarea_wrap": "at-textarea", "textarea": "at-textarea__original", "select": "at-input__original",
            "table_wrap": "at-table|at-table at-table--border|at-table at-table--stripe", "table": "at-table__table", "thead": "at-table__thead", "tbody": "at-table__tbody", "th": "at-table__cell",
            "td": "at-table__cell", "tabs_wrap": "at-tabs|at-tabs at-tabs--card", "tabs": "at-tabs__nav", "tabs_tag": "div", "tab": "at-tabs-nav__item", "tab_on": "at-tabs-nav__item--active",
            "nav": "at-menu at-menu--horizontal|at-menu at-menu--horizontal at-menu--dark", "nav_bare": "1", "nav_link": "at-menu__item-link", "side": "at-menu at-menu--vertical", "side_item": "at-menu__item",
            "side_link": "at-menu__item-link", "dialog": "at-modal", "dialog_head": "at-modal__header", "dialog_title": "at-modal__title", "dialog_body": "at-modal__body", "dialog_foot": "at-modal__footer",
            "badge": "at-tag|at-tag at-tag--success|at-tag at-tag--error", "alert": "at-alert at-alert--info|at-alert at-alert--warning|at-alert at-alert--success", "menu": "at-dropdown-menu",
            "menu_item": "at-dropdown-menu__item", "crumbs": "at-breadcrumb", "crumb": "at-breadcrumb__item", "btn_group": "at-btn-group", "small": "at-btn--small", "large": "at-btn--large",
        },
        tuple(f"at-btn at-btn--{tone}" for tone in ("primary", "default", "success", "error", "primary--hollow", "text")),
        split="last",
        extra=_PLAIN + ".at-card,.own-card{border:1px solid #e2ecf4;border-radius:4px}.own-body{padding:12px}.at-modal{position:fixed}.at-table__table{width:100%}",
    ),
    Kit(
        "quasar",
        ("quasar/dist/quasar.prod.css",),
        {
            "table_wrap": "q-table__container q-table__card q-table--horizontal-separator|q-table__container q-table__card q-table--cell-separator q-table--dense", "table": "q-table", "card": "q-card|q-card q-card--bordered q-card--flat",
            "card_head": "q-card__section text-h6", "card_body": "q-card__section q-card__section--vert", "tabs": "q-tabs__content row no-wrap", "tabs_tag": "div", "tab": "q-tab relative-position q-tab--inactive",
            "tab_on": "q-tab--active text-primary", "nav": "q-toolbar row no-wrap items-center bg-primary text-white|q-toolbar row no-wrap items-center bg-grey-3", "nav_bare": "1", "nav_link": "q-tab",
            "list": "q-list q-list--bordered q-list--separator", "list_item": "q-item q-item-type row no-wrap", "dialog": "q-card", "dialog_head": "q-card__section text-h6", "dialog_body": "q-card__section",
            "dialog_foot": "q-card__actions q-card__actions--horiz row", "badge": "q-badge flex inline items-center no-wrap bg-primary|q-badge flex inline items-center no-wrap bg-negative|q-badge flex inline items-center no-wrap bg-teal",
            "alert": "q-banner row items-center bg-blue-2|q-banner row items-center bg-orange-2", "menu": "q-list", "menu_item": "q-item q-item-type row no-wrap", "small": "q-btn--dense",
        },
        tuple(
            f"q-btn q-btn-item non-selectable no-outline q-btn--rectangle {tone} q-btn--actionable"
            for tone in ("q-btn--standard bg-primary text-white", "q-btn--standard bg-secondary text-white", "q-btn--outline text-primary", "q-btn--flat text-primary", "q-btn--standard bg-negative text-white")
        ),
        split="last",
        extra="input:not([type=checkbox]):not([type=radio]),textarea,select{border:0;border-bottom:1px solid #0006;background:#0000000a;padding:8px 10px;border-radius:4px 4px 0 0}.q-btn[disabled]{opacity:.7!important}",
    ),
    Kit(
        "photon",
        ("photonkit/dist/css/photon.css",),
        {
            "input": "form-control", "textarea": "form-control", "select": "form-control", "field": "form-group", "check_wrap": "checkbox", "table": "table-striped", "tabs": "tab-group", "tabs_tag": "div",
            "tab": "tab-item", "tab_on": "active", "nav": "toolbar toolbar-header", "nav_bare": "1", "side": "nav-group", "side_tag": "div", "side_link": "nav-group-item", "side_on": "active",
            "list": "list-group", "list_item": "list-group-item", "list_on": "active", "dialog_foot": "toolbar-actions", "btn_group": "btn-group", "small": "btn-mini", "large": "btn-large",
        },
        tuple(f"btn btn-{tone}" for tone in ("default", "default", "primary", "positive", "negative", "warning")),
        split="last",
        extra="html,body{overflow:auto!important;height:auto!important;cursor:auto}*{-webkit-user-select:auto}.toolbar{padding:4px}.own-card{border:1px solid #ccc;padding:8px}",
    ),
    Kit(
        "skeleton",
        ("skeleton-css/css/normalize.css", "skeleton-css/css/skeleton.css"),
        {"table": "u-full-width", "input": "u-full-width|", "select": "u-full-width|", "textarea": "u-full-width"},
        ("button-primary", "button", ""),
        split="last",
        extra="html{font-size:55%}.own-card{border:1px solid #ddd;border-radius:4px;padding:10px}",
    ),
    *(
        Kit(
            f"ids-{theme}",
            (f"ids-enterprise/dist/css/theme-{theme}.min.css",),
            _IDS,
            ("btn-primary", "btn-secondary", "btn", "btn-tertiary", "btn-primary destructive"),
            split="last",
            dark="always" if "dark" in theme else "",
            weight=0.5,
            extra=_IDS_MENDED,
        )
        for theme in ("new-light", "uplift-light", "classic-dark")
    ),
    Kit(
        "tacit",
        ("tacit-css/dist/tacit-css.min.css",),
        {},
        ("",),
        split="last",
        extra="body{max-width:none!important;margin:0!important;padding:0!important}.own-card{border:1px solid #ccc;padding:10px}",
    ),
)  # fmt: skip
