"""The looks of the split `anew`: for `bench relocate` alone, to be scored before anything is tuned on them."""

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
_OWN_MARKS = "input[type=checkbox],input[type=radio]{display:inline-block!important;flex:none;vertical-align:middle;margin:2px 6px 2px 0!important}"

ANEW: tuple[Kit, ...] = (
    Kit(
        "lumx",
        ("@lumx/core/lumx.css",),
        {
            "input": "own-field", "textarea": "own-field", "select": "own-field", "label": "own-label", "table": "lumx-table lumx-table--theme-light|lumx-table lumx-table--theme-light lumx-table--has-dividers", "row": "lumx-table__row", "th": "lumx-table__cell lumx-table__cell--head", "td": "lumx-table__cell",
            "tabs_wrap": "lumx-tabs lumx-tabs--theme-light", "tabs": "lumx-tabs__links", "tabs_tag": "div", "tab": "lumx-tabs__link", "tab_on": "lumx-tabs__link--is-active", "badge": "lumx-chip lumx-chip--size-s lumx-chip--color-dark lumx-chip--is-unselected|lumx-chip lumx-chip--size-s lumx-chip--color-dark lumx-chip--is-unselected own-green",
            "alert": "lumx-message lumx-message--has-background lumx-message--color-blue|lumx-message lumx-message--has-background lumx-message--color-yellow|lumx-message lumx-message--has-background lumx-message--color-green", "link": "lumx-link lumx-link--color-blue", "small": "lumx-button--size-s",
        },
        tuple(f"lumx-button lumx-button--size-m lumx-button--theme-light lumx-button--variant-button lumx-button--emphasis-{tone}" for tone in ("high lumx-button--color-primary", "medium lumx-button--color-dark", "medium lumx-button--color-dark", "low lumx-button--color-dark", "high lumx-button--color-red")),
        split="anew",
        extra=_PLAIN + _CARDS + _ARROWS + _NATIVE_MARKS + _FITS + ".own-field{width:100%;min-height:36px;padding:6px 12px;border:0;border-radius:4px;background:var(--lumx-color-dark-L6,#f1f1f1);color:inherit;font:inherit}.own-label{font-weight:600;display:block;margin:2px 0 4px}.own-green{background:#d9f2e3!important}.lumx-table{table-layout:auto!important}.lumx-table__cell{padding:5px 12px!important}",
    ),
    Kit(
        "chlorophyll",
        ("@sebgroup/chlorophyll/css/green-chlorophyll.min.css",),
        {
            "field": "form-group", "table": "table", "card": "card", "card_head": "card-header", "card_body": "card-body", "badge": "badge info|badge success|badge danger|badge", "alert": "alert-ribbon info|alert-ribbon warning|alert-ribbon success", "tabs": "own-tabs", "tabs_tag": "div", "tab": "own-tab", "tab_aria": "1", "crumbs": "breadcrumb", "pages_tag": "div",
            "small": "small",
        },
        tuple(f"button {tone}" for tone in ("primary", "secondary", "secondary", "ghost", "danger")),
        split="anew",
        extra=_CARDS + _ARROWS + _NATIVE_MARKS + _FITS + "body{font-size:15px}ul:not([style*=flex]){display:block}ul[style*=flex]{flex-direction:row!important}ul>li::before{content:none!important}ul>li:not([data-t]){padding:0}ul[style*=flex]>li{margin:0}.own-tab{padding:8px 16px!important;color:#333!important;text-decoration:none!important}.own-tab[aria-selected=true]{font-weight:700!important;box-shadow:inset 0 -3px #333!important}input[type=date],input[type=time]{display:inline-block!important}input:not([type=checkbox]):not([type=radio]),select,textarea{width:100%;border:1px solid #868686;border-radius:4px;padding:8px 12px;background:#fff}.button{gap:6px}.card{padding:16px}.form-group{min-width:0}",
    ),
    Kit(
        "spirit",
        ("@lmc-eu/spirit-web/css/foundation.css", "@lmc-eu/spirit-web/css/themes.css", "@lmc-eu/spirit-web/css/components.css"),
        {
            "input": "TextField__input", "textarea": "TextArea__input", "select": "Select__input", "label": "TextField__label", "check": "Checkbox__input", "radio": "Radio__input", "card": "Card Card--boxed", "card_body": "CardBody", "tabs": "Tabs", "tab_item": "Tabs__item", "tab": "Tabs__link", "tab_on": "is-selected",
            "badge": "Tag Tag--informative Tag--subtle Tag--small|Tag Tag--success Tag--subtle Tag--small|Tag Tag--neutral Tag--small", "alert": "Alert Alert--informative|Alert Alert--warning|Alert Alert--success", "dialog_head": "ModalHeader", "dialog_body": "ModalBody", "pages": "Pagination", "page_item": "Pagination__item",
            "page_link": "Pagination__link", "page_on_link": "Pagination__link--current", "small": "Button--small",
        },
        tuple(f"Button Button--medium Button--{tone}" for tone in ("primary", "secondary", "secondary", "tertiary", "danger", "plain")),
        split="anew",
        extra=_CARDS + _CELLS + _OWN_MARKS + _FITS + "body{font-family:Inter,sans-serif;font-size:15px}.Card{display:block;height:auto}.Card--boxed{padding:16px}h1{font-size:28px}h2{font-size:24px}h3{font-size:20px}.Tabs{justify-content:flex-start}.Button{white-space:nowrap}td,th{border-bottom:1px solid #d9d9d9}input.Radio__input{display:inline-grid!important}",
    ),
    Kit(
        "innovaccer",
        ("@innovaccer/design-system/css/dist/index.css",),
        {
            "input": "Input Input--regular", "textarea": "Textarea", "select": "Input Input--regular", "label": "Label Label-text", "card": "Card Card--shadow10|Card", "card_head": "Card-header", "card_body": "Card-body", "tabs_wrap": "Tabs", "tabs": "TabsWrapper-header", "tabs_tag": "div", "tab": "Tab own-tab", "tab_on": "Tab--active",
            "badge": "Badge Badge--subtle-primary|Badge Badge--subtle-success|Badge Badge--warning|Badge Badge--alert", "alert": "Message Message--info|Message Message--warning|Message Message--success", "menu_item": "own-entry", "small": "Button--tiny",
        },
        tuple(f"Button Button--regular Button--{tone}" for tone in ("primary", "basic", "basic", "alert", "transparent", "success")),
        split="anew",
        extra=_CARDS + _CELLS + _ARROWS + _NATIVE_MARKS + _FITS + "body{font-family:sans-serif;background:#f8f8f8}.Button{display:inline-flex;gap:6px;white-space:nowrap;margin:2px 4px 2px 0;text-decoration:none;font-family:inherit}.Button--primary,.Button--alert,.Button--success{color:#fff}.Button--success{background:var(--success)}.Input,.Textarea{width:100%;font-family:inherit}.Card-body{padding-top:10px;padding-bottom:16px}.TabsWrapper-header{border-bottom:1px solid #ddd}.own-tab{padding:8px 12px 10px;color:inherit;text-decoration:none}.own-tab.Tab--active{color:#0070dd;box-shadow:inset 0 -3px #0070dd}table{background:#fff}td,th{border-bottom:1px solid #e5e5e5}th{background:#f4f4f4}.own-entry{padding:6px 14px}",
    ),
    Kit(
        "govbr",
        ("@govbr-ds/core/dist/core.css",),
        {
            "input_wrap": "br-input", "textarea_wrap": "br-textarea", "select_wrap": "br-input", "table_wrap": "br-table", "card": "br-card", "card_head": "card-header", "card_body": "card-content", "tab_item": "tab-item", "tab_on_item": "active", "badge": "own-chip",
            "alert": "br-message info|br-message warning|br-message success", "dialog": "br-modal", "dialog_head": "br-modal-header", "dialog_body": "br-modal-body", "dialog_foot": "br-modal-footer", "list": "br-list", "list_item": "br-item", "list_on": "active", "menu_item": "br-item", "small": "small",
            "large": "large",
        },
        tuple(f"br-button {tone}" for tone in ("primary", "secondary", "secondary", "", "danger", "success")),
        split="anew",
        extra=_CARDS + _ARROWS + _NATIVE_MARKS + _FITS + ".own-chip{background:#dbe8fb;color:#071d41;border-radius:12px;padding:2px 10px;font-size:12px}.br-message{padding:12px}.br-textarea textarea{width:100%;padding:8px 12px}.br-button{white-space:nowrap;text-decoration:none}.br-input select{width:100%;height:40px;border:1px solid #888;border-radius:4px;padding:0 10px;background:#fff;font-size:15px}.br-table td,.br-table th{padding:10px 14px!important}",
    ),
    Kit(
        "rivet",
        ("rivet-core/css/rivet.css",),
        {
            "input": "rvt-text-input", "textarea": "rvt-textarea", "select": "rvt-select", "label": "rvt-label", "table": "rvt-table|rvt-table-stripes|rvt-table-cells|rvt-table-compact", "card": "rvt-card rvt-card--raised", "card_head": "own-title", "card_title": "rvt-card__title", "card_body": "rvt-card__body",
            "tabs_wrap": "rvt-tabs", "tabs": "rvt-tabs__tablist", "tabs_tag": "div", "tab": "rvt-tabs__tab", "tab_aria": "1", "badge": "rvt-badge|rvt-badge rvt-badge--info|rvt-badge rvt-badge--success|rvt-badge rvt-badge--warning", "alert": "rvt-alert rvt-alert--info|rvt-alert rvt-alert--warning|rvt-alert rvt-alert--success",
            "menu": "rvt-dropdown__menu", "pages": "rvt-pagination", "page_item": "rvt-pagination__item", "crumbs": "rvt-breadcrumbs", "small": "rvt-button--small", "btn_group": "rvt-button-segmented",
        },
        tuple(f"rvt-button {tone}" for tone in ("", "rvt-button--secondary", "rvt-button--secondary", "rvt-button--success", "rvt-button--danger", "rvt-button--plain")),
        split="anew",
        extra=_CARDS + _NATIVE_MARKS + _FITS + "body{font-size:15px}.own-title{padding:14px 22px 0}h1{font-size:28px}h2{font-size:24px}h3{font-size:20px}h1,h2,h3{font-weight:700}.rvt-tabs__tab{text-align:center;text-decoration:none}.rvt-tabs{margin-bottom:10px}.rvt-card__body{display:block}b{font-weight:700}",
    ),
    Kit(
        "ons",
        ("@ons/design-system/css/main.css",),
        {
            "input": "ons-input ons-input--text", "textarea": "ons-input ons-input--textarea", "select": "ons-input ons-input--select", "label": "ons-label", "table": "ons-table", "thead": "ons-table__head", "tbody": "ons-table__body", "row": "ons-table__row", "th": "ons-table__header", "td": "ons-table__cell",
            "card": "own-card ons-card", "card_title": "ons-card__title", "badge": "ons-status ons-status--info|ons-status ons-status--success|ons-status ons-status--pending|ons-status ons-status--error", "alert": "ons-panel ons-panel--info|ons-panel ons-panel--warn|ons-panel ons-panel--success", "tabs_wrap": "ons-tabs",
            "tabs": "ons-tabs__list ons-tabs__list--row", "tab_item": "ons-tab__list-item ons-tab__list-item--row", "tab": "ons-tab ons-tab--row", "tab_on": "own-on", "pages": "ons-pagination__items", "page_item": "ons-pagination__item", "page_link": "ons-pagination__link", "page_on": "ons-pagination__item--current",
        },
        ("ons-btn__inner", "ons-btn__inner own-second", "ons-btn__inner own-second"),
        split="anew",
        extra=_CARDS + _NATIVE_MARKS + _FITS + "body{font-size:15px}.ons-btn__inner{display:inline-flex;gap:6px;border:0;padding:8px 14px;margin:2px 6px 5px 0;font:inherit;font-weight:700;pointer-events:auto!important;text-decoration:none}.own-second{background:var(--ons-color-button-secondary)!important;color:var(--ons-color-text)!important;box-shadow:0 3px 0 var(--ons-color-button-secondary-shadow)!important}button:disabled{opacity:.5}.ons-input{width:100%!important;max-width:100%!important}.ons-tab.own-on{background:#fff;border:1px solid #707071;border-bottom-color:#fff;text-decoration:none}.ons-table td,.ons-table th{padding:6px 10px!important}",
    ),
    Kit(
        "canvas",
        ("@workday/canvas-kit-css/dist/canvas-kit-css.css",),
        {
            "input_wrap": "wdc-form-textinput", "textarea_wrap": "wdc-form-textarea", "select_wrap": "wdc-form-select", "label": "wdc-form-label", "table_wrap": "wdc-type", "table": "wdc-table", "card": "wdc-card", "card_title": "wdc-card-title", "card_body": "wdc-card-body", "badge": "own-chip",
            "alert": "own-note", "dialog": "wdc-modal", "dialog_title": "wdc-modal-title", "dialog_body": "wdc-modal-body", "menu": "wdc-menu", "menu_item": "wdc-menu-item", "small": "wdc-btn-size-s",
        },
        tuple(f"wdc-btn {tone}" for tone in ("wdc-btn-primary", "", "", "wdc-btn-delete")),
        split="anew",
        extra=_PLAIN + _CARDS + _NATIVE_MARKS + _FITS + "body{margin:0}.wdc-btn{display:inline-flex!important;align-items:center;justify-content:center;gap:6px;min-width:0;max-width:none;padding:0 16px;text-decoration:none;overflow:visible;margin:2px 4px 2px 0}.wdc-card{padding:18px;margin:6px 0}.wdc-card-title{margin-bottom:12px}.wdc-form-textinput,.wdc-form-select,.wdc-form-textarea{display:block}:is(.wdc-form-textinput,.wdc-form-select,.wdc-form-textarea) :is(input,select,textarea){width:100%}.own-chip{background:#e0eefb;color:#004a8f;border-radius:4px;padding:2px 8px;font-size:12px;font-weight:600}.own-note{background:#fff0d9;border-left:4px solid #ffa126;border-radius:4px}.wdc-menu-item{padding:6px 14px}",
    ),
    Kit(
        "fuselage",
        ("@rocket.chat/fuselage/dist/fuselage.css",),
        {
            "input": "rcx-box rcx-box--full rcx-input-box", "textarea": "rcx-box rcx-box--full rcx-input-box rcx-input-box--type-textarea", "select": "rcx-box rcx-box--full rcx-input-box rcx-input-box--type-select", "label": "rcx-label", "table": "rcx-table", "row": "rcx-table__row",
            "th": "rcx-table__cell rcx-table__cell--header", "td": "rcx-table__cell", "card": "rcx-card rcx-card__vertical own-card", "tabs": "rcx-tabs__scroll-box", "tabs_tag": "div", "tab": "rcx-box rcx-box--full rcx-tabs__item", "tab_on": "rcx-tabs__item--selected",
            "badge": "rcx-tag rcx-tag--secondary|rcx-tag rcx-tag--primary|rcx-tag rcx-tag--secondary-danger|rcx-tag rcx-tag--secondary-warning", "alert": "rcx-callout rcx-callout--info|rcx-callout rcx-callout--warning|rcx-callout rcx-callout--success", "menu_item": "rcx-option", "small": "rcx-button--small",
            "btn_group": "rcx-button-group",
        },
        tuple(f"rcx-box rcx-box--full rcx-button rcx-button--{tone}" for tone in ("primary", "secondary", "secondary", "danger", "secondary-danger")),
        split="anew",
        extra=_PLAIN + _ARROWS + _NATIVE_MARKS + _FITS + _CARDS + "body{margin:0}.rcx-input-box{font-weight:400!important;width:100%!important;min-width:0!important;padding:8px 12px}.rcx-tag{display:inline-flex!important;width:auto!important}.rcx-tabs__item{display:inline-flex;padding:8px 14px!important;text-decoration:none!important;width:auto!important}.rcx-tabs__scroll-box{display:flex}.rcx-button{display:inline-flex;align-items:center;justify-content:center;gap:6px;width:auto;margin:2px 4px 2px 0!important;min-width:0!important;height:36px;text-decoration:none}.rcx-card{display:block}.rcx-label{margin-bottom:3px}.rcx-table__cell{padding:6px 8px}div.rcx-input-box{border:1px solid #cbced1;border-radius:4px}",
    ),
    Kit(
        "nova",
        ("@visa/nova-styles/styles.css", "@visa/nova-styles/themes/visa-light/index.css"),
        {
            "input_wrap": "v-input-container v-surface", "input": "v-input", "textarea_wrap": "v-input-container v-surface", "textarea": "v-input", "select_wrap": "v-input-container v-surface", "select": "v-input", "label": "v-label", "table": "v-table|v-table v-table-alt", "row": "v-tr",
            "thead": "v-thead", "tbody": "v-tbody", "th": "v-th", "td": "v-td", "card": "v-content-card v-surface", "card_title": "v-content-card-title", "card_body": "v-content-card-body", "tabs": "v-tabs v-tabs-horizontal", "tab_item": "v-tab", "tab": "v-button v-button-tertiary v-tab-action", "tab_aria": "1",
            "badge": "v-badge v-badge-stable|v-badge v-badge-warning|v-badge v-badge-critical|v-badge v-badge-neutral", "alert": "v-message v-message-info|v-message v-message-warning|v-message v-message-success", "small": "v-button-small",
        },
        tuple(f"v-button {tone}" for tone in ("", "v-button-secondary", "v-button-secondary", "v-button-tertiary", "v-button-destructive")),
        split="anew",
        extra=_CARDS + _CELLS + _ARROWS + _NATIVE_MARKS + _FITS + "body{font-family:sans-serif;font-size:14px;line-height:1.5}input{accent-color:#1434cb}div.v-input{border:1px solid #777;border-radius:6px;min-height:36px;padding:4px 8px}.v-content-card-title{padding:10px 16px 0}h1{font-size:28px}h2{font-size:24px}h3{font-size:20px}h1,h2,h3,b{font-weight:700}p{margin:6px 0}.v-content-card{padding:6px}.v-button{margin:2px 4px 2px 0}",
    ),
    Kit(
        "matcha",
        ("@lowlighter/matcha/dist/matcha.css",),
        {},
        ("", "", "default", "accent", "success", "danger"),
        split="anew",
        extra=_HOLDS + _CARDS + _OWN_MARKS + _FITS + "body{font-size:14px}input+label{display:inline!important}nav li::before,nav li::after{content:none!important}nav li{padding:0!important;margin:0!important;border:0!important}nav a,nav ul,nav li{color:inherit!important}input[type=checkbox]{position:relative!important}input[type=checkbox],input[type=radio]{border:1px solid #8c959f!important}input[type=radio]:checked{border:5px solid #0969da!important}a[role=button]{display:inline-block;border:1px solid #b8c0c8;border-radius:6px;padding:4px 12px;text-decoration:none}.own-badge{border:1px solid #b8c0c8;border-radius:10px;padding:0 8px;font-size:12px}th,td{padding:5px 9px}",
    ),
    Kit(
        "tui",
        ("tuicss/dist/tuicss.css",),
        {
            "input": "tui-input", "textarea": "tui-input", "select": "tui-input", "table": "tui-table", "card": "tui-window", "card_head": "tui-panel-header", "card_body": "tui-panel-content", "tabs": "own-tabs", "tab": "tui-tab", "tab_on": "active", "dialog": "tui-window", "badge": "own-chip", "alert": "own-note",
        },
        ("tui-button", "tui-button cyan-168", "tui-button orange-168", "tui-button"),
        split="anew",
        extra=_ARROWS + _NATIVE_MARKS + _FITS + "body{background:#00a8a8;color:#000;font-size:15px}*{border-radius:0!important}.tui-window{display:block}.tui-panel-header{color:#000}.own-tabs{display:flex;gap:0;background:#0000a8;padding:2px 10px;list-style:none}.own-tabs .tui-tab{text-decoration:none}.tui-button{margin:0 8px 10px 0;text-decoration:none;white-space:nowrap;box-shadow:6px 6px #000}.tui-input{width:100%;padding:2px 6px;border:1px solid #a8a8a8}[data-c=dialog]{background:#a8a8a8!important;color:#000!important;padding:10px}[data-c=dialog] .tui-window{color:#fff}.own-chip{background:#a85400;color:#fff;padding:0 6px}.own-note{background:#a80000;color:#fff}.own-note a{color:#ff0}.tui-table{background:#0000a8}.tui-table td,.tui-table th{padding:2px 8px}",
    ),
)  # fmt: skip
