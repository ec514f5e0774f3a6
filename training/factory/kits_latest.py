"""The looks of the split `latest`: for `bench relocate` alone, scored before anything was tuned on them."""

from __future__ import annotations

from factory.kit import Kit

_PLAIN = "body{font-family:sans-serif;font-size:14px}"
_CARDS = ".own-card{border:1px solid #8884;border-radius:4px;padding:10px}"
_CELLS = "table{border-collapse:collapse}td,th{padding:6px 10px;text-align:left}"
_HOLDS = "body{max-width:none!important;margin:0!important;padding:0 6px!important}"
_FITS = "input:not([type=checkbox]):not([type=radio]),select,textarea{box-sizing:border-box;max-width:100%;min-width:0!important}"
_NATIVE_MARKS = (
    "input[type=checkbox],input[type=radio]{appearance:auto!important;width:16px!important;height:16px!important;min-width:0!important;"
    "opacity:1!important;position:static!important;margin:2px 6px 2px 0!important;display:inline-block!important}"
)

LATEST: tuple[Kit, ...] = (
    Kit(
        "nhsuk",
        ("nhsuk-frontend/dist/nhsuk/nhsuk-frontend.min.css",),
        {
            "input": "nhsuk-input", "select": "nhsuk-select", "textarea": "nhsuk-textarea", "label": "nhsuk-label", "table": "nhsuk-table", "th": "nhsuk-table__header", "td": "nhsuk-table__cell", "row": "nhsuk-table__row",
            "card": "nhsuk-card", "card_body": "nhsuk-card__content", "tabs_wrap": "nhsuk-tabs", "tabs": "nhsuk-tabs__list", "tab_item": "nhsuk-tabs__list-item", "tab_on_item": "nhsuk-tabs__list-item--selected", "tab": "nhsuk-tabs__tab",
            "badge": "nhsuk-tag|nhsuk-tag nhsuk-tag--green|nhsuk-tag nhsuk-tag--red", "alert": "nhsuk-inset-text", "crumbs": "nhsuk-breadcrumb__list", "crumb": "nhsuk-breadcrumb__list-item", "btn_group": "nhsuk-button-group",
        },
        tuple(f"nhsuk-button nhsuk-button--small {tone}" for tone in ("", "nhsuk-button--secondary", "nhsuk-button--warning", "nhsuk-button--brand")),
        split="latest",
        extra=_PLAIN + _CARDS + _NATIVE_MARKS + _FITS + ".nhsuk-button{margin:2px 4px 6px 0!important;width:auto!important}.nhsuk-input,.nhsuk-select,.nhsuk-textarea{font-size:15px;height:auto;padding:4px 6px}.nhsuk-card,.nhsuk-tabs,.nhsuk-table{margin:6px 0!important}.nhsuk-label{font-size:14px!important;margin:0}.nhsuk-card__content{padding:10px!important}input.nhsuk-input,select.nhsuk-select{width:100%;min-width:60px!important}",
    ),
    Kit(
        "scot",
        ("@scottish-government/design-system/dist/css/design-system.min.css",),
        {
            "input": "ds_input", "select_wrap": "ds_select-wrapper", "select": "ds_select", "textarea": "ds_input", "label": "ds_label", "table": "ds_table", "card": "ds_card", "card_body": "ds_card__content", "tabs_wrap": "ds_tabs", "tabs": "ds_tabs__list",
            "tab_item": "ds_tabs__tab", "tab_on_item": "ds_current", "tab": "ds_tabs__tab-link", "badge": "ds_tag|ds_tag ds_tag--green|ds_tag ds_tag--red", "alert": "ds_inset-text", "crumbs": "ds_breadcrumbs", "btn_group": "ds_button-group", "side": "ds_side-navigation__list", "side_link": "ds_side-navigation__link",
        },
        tuple(f"ds_button ds_button--small {tone}" for tone in ("", "ds_button--secondary", "ds_button--cancel")),
        split="latest",
        extra=_PLAIN + _CARDS + _NATIVE_MARKS + _FITS + ".ds_button{margin:2px 6px 2px 0!important;width:auto!important}.ds_input,.ds_select{font-size:15px;height:auto;padding:5px 8px;margin:0}.ds_card{padding:10px}",
    ),
    Kit(
        "vant",
        ("vant/lib/index.css",),
        {
            "list": "van-cell-group", "list_item": "van-cell", "menu_item": "van-cell", "badge": "van-tag van-tag--primary|van-tag van-tag--success|van-tag van-tag--danger van-tag--plain", "alert": "van-notice-bar", "card": "van-card",
            "tabs_wrap": "van-tabs van-tabs--line|van-tabs van-tabs--card", "tabs": "van-tabs__nav", "tabs_tag": "div", "tab": "van-tab", "tab_on": "van-tab--active", "dialog": "van-dialog",
        },
        tuple(f"van-button van-button--small {tone}" for tone in ("van-button--primary", "van-button--default", "van-button--success van-button--plain", "van-button--danger", "van-button--primary van-button--round")),
        split="latest",
        extra=_PLAIN + _CELLS + _FITS + "input:not([type]),input[type=text],input[type=password],input[type=search],input[type=email],select,textarea{border:1px solid #dcdee0;border-radius:4px;padding:6px 8px;background:#fff;width:100%}td,th{border-bottom:1px solid #ebedf0}.van-card{padding:10px;border:1px solid #ebedf0}.van-dialog{transform:none!important;left:30%!important;top:25%!important;padding:14px}.van-button{margin:2px 4px}.van-tab{flex:none;padding:8px 14px}.van-notice-bar{height:auto;line-height:1.4}",
    ),
    Kit(
        "protocol",
        ("@mozilla-protocol/core/protocol/css/protocol.css", "@mozilla-protocol/core/protocol/css/protocol-components.css"),
        {
            "form": "mzp-c-form", "field": "mzp-c-field", "input": "mzp-c-field-control", "select": "mzp-c-field-control", "textarea": "mzp-c-field-control", "label": "mzp-c-field-label", "table": "mzp-u-data-table", "crumbs": "mzp-c-breadcrumb-list",
            "crumb": "mzp-c-breadcrumb-item", "alert": "mzp-c-notification-bar mzp-t-warning|mzp-c-notification-bar mzp-t-success",
        },
        tuple(f"mzp-c-button mzp-t-md {tone}" for tone in ("", "mzp-t-product", "mzp-t-secondary", "mzp-t-neutral")),
        split="latest",
        extra=_CARDS + _CELLS + _NATIVE_MARKS + _FITS + "body{font-size:15px}.mzp-c-button{padding:5px 14px;margin:2px 4px}.mzp-c-field-control{width:100%;height:auto;padding:5px 8px}td,th{border-bottom:1px solid #cdcdd4}",
    ),
    Kit(
        "hds",
        ("hds-core/lib/base.min.css", "hds-core/lib/components/all.min.css"),
        {
            "input_wrap": "hds-text-input__input-wrapper", "input": "hds-text-input__input", "textarea": "hds-text-input__input", "select": "hds-text-input__input", "label": "hds-text-input__label", "table": "hds-table hds-table--light", "badge": "hds-tag", "card": "hds-card", "card_body": "hds-card__body",
            "alert": "hds-notification", "crumbs": "hds-breadcrumb__list",
        },
        tuple(f"hds-button {tone} hds-button--small" for tone in ("hds-button--primary", "hds-button--secondary", "hds-button--supplementary")),
        split="latest",
        extra=_PLAIN + _CARDS + _CELLS + _NATIVE_MARKS + _FITS + ".hds-text-input__input{height:36px;width:100%;border:2px solid #808080;padding:0 8px}textarea.hds-text-input__input{height:auto}.hds-button{margin:2px 4px;padding:6px 14px}.hds-card{border:1px solid #999;padding:10px;max-width:none}.hds-notification{max-width:none}",
    ),
    Kit(
        "lit",
        ("@ajusa/lit/dist/lit.css",),
        {"card": "card", "row": ""},
        ("btn primary", "btn", "btn", "btn primary"),
        split="latest",
        extra=_PLAIN + _CELLS + _NATIVE_MARKS + _FITS + ".card{padding:10px;margin:6px 0;border:1px solid #ccc}",
    ),
    Kit("concrete", ("concrete.css/concrete.css",), {}, ("",), split="latest", extra=_HOLDS + _CARDS + _NATIVE_MARKS + _FITS + "body{font-size:13px}label,input,select,textarea,button{font-size:13px!important}input:not([type=checkbox]):not([type=radio]),select{width:100%;min-width:60px!important;padding:4px 6px}"),
    Kit(
        "missing",
        ("missing.css/dist/missing.css",),
        {"card": "box", "alert": "box warn|box ok|box info", "badge": "chip|chip ok|chip bad"},
        ("", "", "big", "plain box"),
        split="latest",
        extra=_HOLDS + _FITS + "body{font-size:15px}.box{margin:6px 0}",
    ),
    *(
        Kit(
            f"eui-{theme}",
            (f"@elastic/eui/dist/eui_theme_{theme}.min.css",),
            {
                "input": "euiFieldText", "select": "euiSelect", "textarea": "euiTextArea", "label": "euiFormLabel", "table": "euiTable", "th": "euiTableHeaderCell", "td": "euiTableRowCell", "row": "euiTableRow", "tabs": "euiTabs|euiTabs euiTabs--condensed", "tabs_tag": "div", "tab": "euiTab",
                "tab_on": "euiTab-isSelected", "badge": "euiBadge", "dialog": "euiModal", "dialog_head": "euiModalHeader", "dialog_body": "euiModalBody", "dialog_foot": "euiModalFooter", "crumbs": "euiBreadcrumbs", "crumb": "euiBreadcrumb",
            },
            tuple(f"euiButton euiButton--small {tone}" for tone in ("euiButton--primary euiButton--fill", "euiButton--primary", "euiButton--text", "euiButton--danger", "euiButton--success")),
            split="latest",
            dark="always" if theme == "dark" else "",
            weight=0.6,
            extra=_PLAIN + _CARDS + _NATIVE_MARKS + _FITS + ".euiModal{position:fixed}.euiButton{margin:2px 4px;padding:0 12px}.euiTab{padding:6px 12px}.euiTableRowCell,.euiTableHeaderCell{padding:6px 10px!important}.euiFieldText,.euiSelect,.euiTextArea{max-width:100%!important}" + ("body{background:#141519;color:#dfe5ef}a{color:#61a2ff!important}" if theme == "dark" else ""),
        )
        for theme in ("light", "dark")
    ),
    Kit(
        "digdir",
        ("@digdir/designsystemet-css/dist/theme/designsystemet.css", "@digdir/designsystemet-css/dist/src/index.css"),
        {
            "input": "ds-input", "select": "ds-input", "textarea": "ds-input", "check": "ds-input", "label": "ds-label", "field": "ds-field", "table": "ds-table", "card": "ds-card", "badge": "ds-tag", "alert": "ds-alert", "link": "ds-link", "crumbs": "ds-breadcrumbs",
        },
        ("ds-button",),
        split="latest",
        extra=_CARDS + _CELLS + _FITS + "body{font-size:15px;font-family:sans-serif}.ds-card{padding:10px;margin:6px 0;border:1px solid #bbb}.ds-button{margin:2px 4px}",
    ),
    Kit(
        "polaris",
        ("@shopify/polaris/build/esm/styles.css",),
        {
            "label": "Polaris-Label__Text", "card": "Polaris-LegacyCard", "card_body": "Polaris-LegacyCard__Section", "table": "Polaris-DataTable__Table", "th": "Polaris-DataTable__Cell Polaris-DataTable__Cell--header", "td": "Polaris-DataTable__Cell", "badge": "Polaris-Badge|Polaris-Badge Polaris-Badge--statusSuccess",
            "alert": "Polaris-Banner Polaris-Banner--withinPage", "menu_item": "Polaris-ActionList__Item", "tabs": "Polaris-Tabs", "tab_item": "Polaris-Tabs__TabContainer", "tab": "Polaris-Tabs__Tab", "tab_on": "Polaris-Tabs__Tab--active",
        },
        tuple(f"Polaris-Button {tone}" for tone in ("Polaris-Button--primary", "", "", "Polaris-Button--destructive", "Polaris-Button--outline")),
        split="latest",
        extra=_CELLS + _NATIVE_MARKS + _FITS + "body{font-size:14px}input:not([type]),input[type=text],input[type=password],input[type=search],input[type=email],select,textarea{border:1px solid #8c9196;border-radius:4px;padding:6px 10px;background:#fff;width:100%}.Polaris-Button{margin:2px 4px}.Polaris-LegacyCard{border:1px solid #d2d5d8;padding:8px;margin:6px 0}",
    ),
)  # fmt: skip
