"""The looks of the split `afresh`: for `bench relocate` alone, to be scored before anything is tuned on them."""

from __future__ import annotations

from factory.kit import Kit

_PLAIN = "body{font-family:sans-serif;font-size:14px}"
_CARDS = ".own-card{border:1px solid #8884;border-radius:4px;padding:10px}"
_CELLS = "table{border-collapse:collapse}td,th{padding:6px 10px;text-align:left}"
_HOLDS = "body{max-width:none!important;margin:0!important;padding:0 6px!important}"
_FITS = "input:not([type=checkbox]):not([type=radio]),select,textarea{box-sizing:border-box;max-width:100%;min-width:0!important}"
_ARROWS = "select{appearance:auto!important}"
_NATIVE_MARKS = (
    "input[type=checkbox],input[type=radio]{appearance:auto!important;width:16px!important;height:16px!important;min-width:0!important;"
    "opacity:1!important;position:static!important;margin:2px 6px 2px 0!important;display:inline-block!important}"
)
_CLASSIC = {
    "card": "window", "card_head": "title-bar active", "card_title": "title-bar-text", "card_body": "window-body", "dialog": "window", "dialog_head": "title-bar active", "dialog_title": "title-bar-text",
    "dialog_body": "dialog-body", "list": "list", "menu": "menu", "alert": "raised", "table_wrap": "lowered", "table": "detailed",
}  # fmt: skip

AFRESH: tuple[Kit, ...] = (
    Kit(
        "wordpress",
        ("@wordpress/components/build-style/style.css",),
        {
            "input": "components-text-control__input", "textarea": "components-textarea-control__input", "card": "components-panel", "card_head": "components-panel__header",
            "tabs": "components-tab-panel__tabs", "tabs_tag": "div", "tab": "components-button components-tab-panel__tabs-item", "tab_on": "is-active", "badge": "components-badge|components-badge is-success|components-badge is-warning", "alert": "components-notice is-warning|components-notice is-success",
            "menu_item": "components-button components-menu-item__button", "menu": "components-menu-group", "btn_group": "components-button-group", "small": "is-small",
        },
        tuple(f"components-button {tone}" for tone in ("is-primary", "is-secondary", "is-secondary", "is-tertiary", "is-primary is-destructive", "is-secondary is-destructive")),
        split="afresh",
        extra=":root{--wp-admin-theme-color:#2271b1;--wp-admin-theme-color--rgb:34,113,177;--wp-admin-theme-color-darker-10:#135e96;--wp-admin-theme-color-darker-20:#0a4b78}" + _PLAIN + _CARDS + _CELLS + _NATIVE_MARKS + _FITS + ".components-panel{padding:10px}.components-notice{display:block}select,textarea{border:1px solid #949494;border-radius:2px;padding:6px 8px;background:#fff;width:100%;min-height:32px}td,th{border-bottom:1px solid #ddd}",
    ),
    Kit(
        "fiori",
        ("@sap-theming/theming-base-content/content/Base/baseLib/sap_horizon/css_variables.css", "fundamental-styles/dist/theming/sap_horizon.css", "fundamental-styles/dist/fundamental-styles.css"),
        {
            "input": "fd-input is-compact|fd-input", "textarea": "fd-textarea", "select": "fd-input is-compact", "label": "fd-form-label", "table": "fd-table fd-table--compact|fd-table", "thead": "fd-table__header", "tbody": "fd-table__body", "row": "fd-table__row", "th": "fd-table__cell", "td": "fd-table__cell",
            "card": "fd-layout-panel", "card_head": "fd-layout-panel__header", "card_title": "fd-layout-panel__title", "card_body": "fd-layout-panel__body", "tabs": "fd-tabs", "tab_item": "fd-tabs__item", "tab": "fd-tabs__link", "tab_on": "is-selected", "badge": "fd-info-label fd-info-label--accent-color-8|fd-info-label fd-info-label--accent-color-1|fd-info-label",
            "alert": "fd-message-strip fd-message-strip--warning|fd-message-strip fd-message-strip--information|fd-message-strip fd-message-strip--success", "list": "fd-list", "list_item": "fd-list__item", "list_on": "is-selected", "menu": "fd-menu__list", "menu_li": "fd-menu__item", "menu_item": "fd-menu__link", "pages": "fd-pagination__nav", "pages_tag": "div",
            "page_link": "fd-pagination__link", "page_on_link": "is-active", "btn_group": "fd-segmented-button", "small": "is-compact",
        },
        tuple(f"fd-button is-compact {tone}" for tone in ("fd-button--emphasized", "", "", "fd-button--ghost", "fd-button--transparent", "fd-button--positive", "fd-button--negative")),
        split="afresh",
        extra=_CARDS + _ARROWS + _NATIVE_MARKS + _FITS + "body{font-family:sans-serif;font-size:14px;background:#f5f6f7}.fd-input,.fd-textarea{width:100%}.fd-table__cell{padding:4px 8px!important}.fd-menu__link{padding:6px 14px!important}.fd-form-label{position:static;display:block;margin:0 0 2px!important}",
    ),
    Kit(
        "ovh",
        ("@ovh-ux/ui-kit/dist/css/oui.css",),
        {
            "input": "oui-input", "textarea": "oui-textarea", "select_wrap": "oui-select", "select": "oui-select__input", "label": "oui-label oui-field__label", "field": "oui-field", "table": "oui-table", "th": "oui-table__header", "td": "oui-table__cell", "row": "oui-table__row", "card": "oui-tile", "card_head": "oui-tile__title",
            "tabs_wrap": "oui-tabs", "tabs": "oui-tabs__tablist", "tab_item": "oui-tabs-item", "tab": "oui-tabs-item__button", "tab_on": "oui-tabs-item__button_checked", "badge": "oui-badge oui-badge_info|oui-badge oui-badge_success|oui-badge oui-badge_warning|oui-badge oui-badge_error",
            "alert": "oui-message oui-message_info|oui-message oui-message_warning|oui-message oui-message_success", "dialog": "oui-modal", "dialog_body": "oui-modal__body oui-modal__body_no-icon", "dialog_foot": "oui-modal__footer", "menu_item": "oui-dropdown-menu__item oui-dropdown-option", "pages": "oui-pagination", "list": "oui-list oui-list_separated",
        },
        tuple(f"oui-button {tone}" for tone in ("oui-button_primary", "oui-button_secondary", "oui-button_secondary", "oui-button_ghost", "oui-button_link")),
        split="afresh",
        extra=_PLAIN + _CARDS + _ARROWS + _NATIVE_MARKS + _FITS + ".oui-button{width:auto!important;max-width:none;margin:2px 4px 2px 0;overflow:visible}.oui-modal{padding:14px}input+label{display:inline!important}.oui-input,.oui-textarea,.oui-select select.oui-select__input{font-family:sans-serif}",
    ),
    Kit(
        "amsterdam",
        ("@amsterdam/design-system-tokens/dist/index.css", "@amsterdam/design-system-css/dist/index.css"),
        {
            "input": "ams-text-input", "textarea": "ams-text-area", "select": "ams-select", "label": "ams-label", "field": "ams-field", "table": "ams-table", "th": "ams-table__header-cell", "td": "ams-table__cell", "card": "ams-card", "tabs_wrap": "ams-tab-navigation", "tabs": "ams-tab-navigation__list", "tab": "ams-tab-navigation__link",
            "badge": "ams-badge|ams-badge ams-badge--lime|ams-badge ams-badge--orange", "alert": "ams-alert", "link": "ams-link", "menu_item": "ams-menu__link", "crumbs": "ams-breadcrumb",
        },
        tuple(f"ams-button {tone}" for tone in ("ams-button--primary", "ams-button--secondary", "ams-button--secondary", "ams-button--tertiary")),
        split="afresh",
        extra=_PLAIN + _CARDS + _NATIVE_MARKS + _FITS + ".ams-card{display:block;border:1px solid #767676;padding:12px}.ams-button,.ams-text-input,.ams-text-area,.ams-select,.ams-label,.ams-badge,.ams-tab-navigation__link{font-size:15px!important}.ams-button{padding:5px 14px!important}.ams-text-input,.ams-text-area,.ams-select{padding:5px 10px!important}.ams-select{padding-inline-end:40px!important}.ams-table td,.ams-table th{padding:6px 10px}.ams-label{display:block}.ams-menu__link{padding:6px 14px}",
    ),
    Kit(
        "assembly",
        ("@mapbox/assembly/dist/assembly.min.css",),
        {
            "input": "input|input input--s", "textarea": "textarea", "select": "input", "label": "txt-s txt-bold", "table": "table", "card": "bg-gray-faint round px12 py12", "badge": "bg-blue-faint color-blue-dark round-full px12 txt-s|bg-green-faint color-green-dark round-full px12 txt-s|bg-red-faint color-red-dark round-full px12 txt-s",
            "alert": "bg-orange-faint color-orange-dark round", "small": "btn--s", "menu_item": "px12 py6 block",
        },
        tuple(f"btn {tone}" for tone in ("", "", "btn--stroke", "btn--gray", "btn--red btn--stroke", "btn--green", "btn--purple round")),
        split="afresh",
        extra=_PLAIN + _ARROWS + _NATIVE_MARKS + _FITS + "a:not(.btn){color:#0f71fa}",
    ),
    Kit(
        "w2ui",
        ("w2ui/w2ui-2.0.min.css",),
        {"input": "w2ui-input", "textarea": "w2ui-input", "select": "w2ui-input", "card": "own-card", "card_head": "w2ui-group-title", "menu": "w2ui-menu", "menu_item": "w2ui-menu-item"},
        tuple(f"w2ui-btn {tone}" for tone in ("", "", "w2ui-btn-blue", "w2ui-btn-green", "w2ui-btn-red", "w2ui-btn-orange")),
        split="afresh",
        extra=_CARDS + _CELLS + _ARROWS + _NATIVE_MARKS + _FITS + "body{font-family:sans-serif;font-size:13px}label{display:inline-block;margin-right:6px}th{color:#656164;background-image:linear-gradient(#fff,#f4f4f4)}a.w2ui-btn{display:inline-block;border-radius:14px;margin:0 3px;padding:6px 12px;font-size:12px;color:#666;background:#e8e8ee;text-decoration:none}div.w2ui-input,select.w2ui-input{padding:5px 6px;border:1px solid #e0e0e0;border-radius:3px;background:#f8fafa}",
    ),
    Kit(
        "vitamin",
        ("@vtmn/css/dist/components.css",),
        {
            "input": "vtmn-text-input", "textarea": "vtmn-text-input", "select": "vtmn-text-input", "label": "vtmn-text-input_label", "card": "vtmn-card", "badge": "vtmn-tag vtmn-tag_variant--decorative_jade|vtmn-tag vtmn-tag_variant--alert|vtmn-tag vtmn-tag_variant--accent",
            "alert": "vtmn-alert vtmn-alert_variant--info|vtmn-alert vtmn-alert_variant--warning|vtmn-alert vtmn-alert_variant--success", "crumbs": "vtmn-breadcrumb",
        },
        tuple(f"vtmn-btn vtmn-btn_size--small {tone}" for tone in ("vtmn-btn_variant--primary", "vtmn-btn_variant--secondary", "vtmn-btn_variant--tertiary", "vtmn-btn_variant--conversion", "vtmn-btn_variant--ghost")),
        split="afresh",
        extra=_CELLS + _ARROWS + _NATIVE_MARKS + _FITS + "body{font-family:sans-serif;font-size:15px}.vtmn-card{padding:12px;display:block}.vtmn-btn{display:inline-flex!important;width:auto!important;margin:2px 4px 2px 0;box-sizing:border-box;text-decoration:none}",
    ),
    Kit(
        "skin",
        (
            *(
                f"@ebay/skin/dist/{one}/{one}.css"
                for one in ("global", "typography", "utility", "button", "textbox", "select", "field", "checkbox", "radio", "tabs", "table", "card", "badge", "signal", "section-notice", "menu", "pagination", "breadcrumbs", "list", "link")
            ),
            "@ebay/skin/dist/tokens/evo-core.css",
            "@ebay/skin/dist/tokens/evo-light.css",
        ),
        {
            "input_wrap": "textbox textbox--fluid", "input": "textbox__control", "textarea_wrap": "textbox textbox--fluid", "textarea": "textbox__control", "select_wrap": "select select--fluid", "label": "field__label", "table_wrap": "table table--density-compact", "tabs_wrap": "fake-tabs", "tabs": "fake-tabs__items", "tab_item": "fake-tabs__item", "tab_on": "own-on",
            "badge": "signal signal--recent|signal signal--time-sensitive|signal signal--neutral", "alert": "section-notice", "pages": "pagination__items", "page_link": "pagination__item", "small": "btn--small",
        },
        tuple(f"btn btn--{tone} fake-btn fake-btn--{tone}" for tone in ("primary", "secondary", "secondary", "tertiary", "destructive")),
        split="afresh",
        extra=_CARDS + _ARROWS + _NATIVE_MARKS + _FITS + "body{font-family:sans-serif;font-size:14px}.table td,.table th{height:auto!important;min-width:0!important;padding:6px 10px!important}div.textbox__control{border:1px solid #8f8f8f;border-radius:8px;padding:7px 14px}a.own-on{font-weight:700;box-shadow:inset 0 -3px #111}",
    ),
    Kit(
        "cauldron",
        ("@deque/cauldron-styles/dist/index.css",),
        {
            "input": "Field__text-input", "textarea": "Field__textarea", "select_wrap": "Field__select--wrapper", "label": "Field__label", "field": "Field", "card": "Panel", "card_head": "Panel__Header", "card_body": "Panel__Content", "table": "Table Table--border|Table", "thead": "TableHead", "th": "TableHeader", "td": "TableCell", "row": "TableRow",
            "tabs_wrap": "Tabs", "tabs": "Tablist", "tab_item": "Tab", "tab_on_item": "Tab--active", "badge": "Tag|Tag Tag--small", "alert": "Notice Notice--info|Notice Notice--caution", "dialog_head": "Dialog__header", "dialog_body": "Dialog__content", "dialog_foot": "Dialog__footer", "menu": "OptionsMenu__list", "menu_li": "OptionsMenu__list-item",
            "small": "Button--thin",
        },
        tuple(f"Button--{tone}" for tone in ("primary", "secondary", "secondary", "error", "tertiary")),
        split="afresh",
        extra=_ARROWS + _NATIVE_MARKS + _FITS + _CARDS + "body{font-family:sans-serif;font-size:14px}.OptionsMenu__list-item a{padding:5px 12px}div.Field__text-input{border:1px solid #8c8c8c}td,th,.Tag{word-break:normal!important;overflow-wrap:normal!important;white-space:normal}",
    ),
    Kit(
        "nsw",
        ("nsw-design-system/dist/css/main.css",),
        {
            "input": "nsw-form__input", "textarea": "nsw-form__input", "select": "nsw-form__select", "label": "nsw-form__label", "card": "nsw-block own-card", "table": "nsw-table|nsw-table nsw-table--striped", "tabs_wrap": "nsw-tabs", "tabs": "nsw-tabs__list", "tab_on": "active", "badge": "nsw-tag nsw-tag--info|nsw-tag nsw-tag--success|nsw-tag nsw-tag--error",
            "alert": "nsw-in-page-alert nsw-in-page-alert--info|nsw-in-page-alert nsw-in-page-alert--warning", "pages_tag": "ul",
        },
        tuple(f"nsw-button {tone}" for tone in ("nsw-button--dark", "nsw-button--dark-outline", "nsw-button--light", "nsw-button--danger", "nsw-button--dark-outline-solid")),
        split="afresh",
        extra=_CARDS + _CELLS + _NATIVE_MARKS + _FITS + "body{font-size:15px}.nsw-button{min-width:0;padding:6px 14px;margin:2px 4px 2px 0}",
    ),
    *(
        Kit(
            theme,
            ("classic-stylesheets/layout.css", f"classic-stylesheets/themes/{theme}/theme.css"),
            _CLASSIC,
            ("button", "button", "button primary"),
            split="afresh",
            weight=0.6,
            extra=_HOLDS + _FITS + "body{overflow:auto!important;height:auto!important;background:#ccc!important;color:#000}body,button,input,select,textarea,.button,.title-bar-text{font-family:sans-serif!important}.window{display:block}a.button{text-decoration:none;color:inherit}label{display:inline-block;margin-right:6px}.window,.window :is(label,div,p,li,td,th,span,a.button,button:not(:disabled)){color:#000}.window .title-bar *{color:inherit}",
        )
        for theme in ("macos9", "cde")
    ),
    Kit(
        "oat",
        ("@knadh/oat/oat.min.css",),
        {"card": "card", "badge": "badge|badge success|badge danger", "tabs": "", "btn_group": "buttons", "small": "small", "large": "large"},
        ("button", "button", "button outline", "button ghost"),
        split="afresh",
        extra=_HOLDS + _FITS + "body{font-size:14px}input+label{display:inline!important}input[type=checkbox],input[type=radio]{position:relative!important}",
    ),
)  # fmt: skip
