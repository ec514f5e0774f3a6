// What can be acted on in a page that carries no marks: native controls, links, roles, and what its scripts or its style
// sheets make clickable. What cannot be told for sure is `covered`: neither trained nor scored.
const elements = [];
const WORDS = (element) => `${typeof element.className === "string" ? element.className : ""} ${element.id || ""}`;
const ROLES = { button: "button", link: "link", tab: "tab", menuitem: "menu_item", menuitemcheckbox: "menu_item", menuitemradio: "menu_item", option: "list_item", treeitem: "list_item",
  checkbox: "checkbox", radio: "radio", switch: "toggle", slider: "slider", combobox: "dropdown", textbox: "text_input", searchbox: "text_input", spinbutton: "text_input" };
const MENUS = "nav,aside,[role=menu],[role=menubar],[role=navigation],.dropdown-menu,.sidebar,.sidenav,.side-nav,.navbar,.menu,.main-menu,.navigation,.sidebar-menu,.nav-menu,.navmenu,.topnav,.app-bar,.ribbon-menu";
const TABS = "[role=tablist],.nav-tabs,.nav-pills,.tabs,.tab-list,.tabs-list,.tabbar,.uk-tab,.tab-nav,.ui-tabs-nav";
const never = () => false;

const shade = (colour) => { const parts = colour.match(/[\d.]+/g); return parts && parts.length > 3 ? +parts[3] : parts ? 1 : 0; };
const hasFrame = (style) => ["Top", "Right", "Bottom", "Left"].every((side) => parseFloat(style[`border${side}Width`]) > 0 && style[`border${side}Style`] !== "none" && shade(style[`border${side}Color`]) > 0.1);
// Its own ground or frame around padded words: what makes a link look like a button.
const looksPressed = (element) => {
  const style = getComputedStyle(element);
  const ground = shade(style.backgroundColor) > 0.25 || style.backgroundImage !== "none";
  return hasFrame(style) || (ground && (parseFloat(style.paddingLeft) >= 3 || parseFloat(style.paddingTop) >= 2));
};
const hasPicture = (element) => [...element.querySelectorAll("img")].some((image) => Math.max(image.width, image.height) > 48);
const isIconFont = (element) => /icon|awesome|glyph|material symbols|metro|themify|linea|feather|stroke/i.test(getComputedStyle(element).fontFamily.split(",")[0]);
const isSwitch = (input) => [input, input.parentElement, input.parentElement?.parentElement, ...(input.labels || [])].some((one) => one && /switch|toggle(?!d?-?button)/i.test(WORDS(one))) && !input.closest(".btn-group,.btn-group-toggle");

const controlKind = (element) => {
  const tag = element.tagName, role = element.getAttribute("role");
  if (tag === "INPUT") {
    const type = element.type;
    if (type === "checkbox") return role === "switch" || isSwitch(element) ? "toggle" : "checkbox";
    return { hidden: null, radio: "radio", range: "slider", submit: "button", button: "button", reset: "button", image: "button", password: "password_input", file: "unsure", color: "unsure" }[type] ?? (type === "hidden" ? null : role === "combobox" && element.readOnly ? "dropdown" : "text_input");
  }
  if (tag === "TEXTAREA") return "textarea";
  if (tag === "SELECT") return element.multiple || element.size > 1 ? "unsure" : "dropdown";
  if (["AUDIO", "VIDEO"].includes(tag)) return element.controls ? "unsure" : null;
  if (["IFRAME", "OBJECT", "EMBED"].includes(tag) || element.shadowRoot) return "unsure";
  return null;
};
const MADE_UP_SELECTS = /(^|[\s_-])(select2-selection|selectize-input|chosen-single|ui-selectmenu-button|choices__inner|ts-control|selectric|nice-select|ss-single|ss-main)/;
const pressKind = (element) => {
  const tag = element.tagName, role = element.getAttribute("role"), words = WORDS(element);
  const named = ROLES[role];
  if (MADE_UP_SELECTS.test(words) || element.closest(".bootstrap-select > button")) return "dropdown";
  if (named && !["button", "link"].includes(named)) return named;
  if (element.parentElement.closest(".ui-listview,[data-role=listview]")) return "list_item";
  const list = element.closest("ul,ol");
  if ((element.closest(TABS) || (list && /(^|[\s_-])tabs?([\s_-]|$)/.test(`${WORDS(list)} ${list.dataset.role || ""}`))) && !element.closest(".dropdown-menu,.tab-content,.tab-pane,.tab-content *")) return "tab";
  const button = tag === "BUTTON" || tag === "SUMMARY" || named === "button" || /(^|[\s_-])(btn|button)([\s_-]|$)/i.test(words);
  const inFooter = element.closest("footer,.footer,.breadcrumb,.pagination,.pager,[class*=breadcrumb],[class*=brand],[class*=pagination]");
  if (!inFooter && element.closest(MENUS) && !(button && looksPressed(element)) && !(tag === "BUTTON" && !element.closest(".dropdown-menu,[role=menu],li"))) return "menu_item";
  if (button) return "button";
  if (/list-group-item|list-item/.test(words) || element.closest("[role=listbox],[role=tree]")) return "list_item";
  const rect = element.getBoundingClientRect();
  const large = rect.width > 240 && rect.height > 90;
  if (tag === "A" || named === "link") return looksPressed(element) && !large && !hasPicture(element) ? "button" : "link";
  if (tag === "LI" || tag === "TR") return "list_item";
  return large ? "link" : looksPressed(element) || rect.width < 64 || tag === "LABEL" ? "button" : "link";
};

const isLabel = (element) => element.tagName === "LABEL" && (element.control || element.htmlFor);
const isPressLabel = (element) => isLabel(element) && element.control && ["checkbox", "radio", "file"].includes(element.control.type) && /(^|[\s_-])btn([\s_-]|$)/.test(WORDS(element));
// Own action: the element itself answers a click, whatever it looks like.
const acts = (element) => (element.tagName === "A" && (element.hasAttribute("href") || element.onclick)) || ["BUTTON", "SUMMARY"].includes(element.tagName) || element.hasAttribute("onclick") || /^(dropdown|collapse|modal|tab|pill|button|offcanvas|list)$/.test(element.dataset.toggle || element.dataset.bsToggle || "")
  || (ROLES[element.getAttribute("role")] && element.getAttribute("role") !== "option") || isPressLabel(element);
const points = (element) => {
  if (getComputedStyle(element).cursor !== "pointer" || isLabel(element) || (element.closest("label") && isLabel(element.closest("label")))) return false;
  return !element.parentElement || getComputedStyle(element.parentElement).cursor !== "pointer";
};

const hits = (element, x, y) => {
  const there = document.elementFromPoint(x, y);
  if (!there) return false;
  if (there === element || element.contains(there)) return true;
  if (element.labels && [...element.labels].some((label) => label.contains(there))) return true;
  if (there.contains(element)) return getComputedStyle(element).pointerEvents === "none" || element.disabled || there.tagName === "LABEL";
  return Boolean(element.parentElement && element.parentElement.contains(there) && there.tagName === "INPUT" && +getComputedStyle(there).opacity < 0.1);
};
const seen = seenBy(hits);

// Drawn inside the window, yet something lies over it.
const isUnder = (element) => {
  const [left, top, right, bottom] = clip(element, element.getBoundingClientRect());
  return right - left > 4 && bottom - top > 4 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
};

// The rectangles a click must land in: one per line of an inline link, the content of an inline link around blocks, the
// whole card of a stretched link.
const rectsOf = (element) => {
  const after = getComputedStyle(element, "::after");
  if (after.content !== "none" && after.position === "absolute" && ["top", "right", "bottom", "left"].every((side) => parseFloat(after[side]) === 0)) {
    let host = element;
    while (host.parentElement && getComputedStyle(host).position === "static") host = host.parentElement;
    return [host.getBoundingClientRect()];
  }
  const style = getComputedStyle(element), whole = element.getBoundingClientRect();
  if (style.display !== "inline") return [whole];
  const inside = [...element.querySelectorAll("*")].filter((one) => !getComputedStyle(one).display.startsWith("inline") || one.tagName === "IMG").map((one) => one.getBoundingClientRect()).filter((rect) => rect.width > 3 && rect.height > 3);
  const parts = [...element.getClientRects()].filter((rect) => rect.width > 3 && rect.height > 3);
  if (inside.length) {
    const all = [...inside, ...parts];
    const [left, top, right, bottom] = [Math.min(...all.map((r) => r.left)), Math.min(...all.map((r) => r.top)), Math.max(...all.map((r) => r.right)), Math.max(...all.map((r) => r.bottom))];
    return [new DOMRect(left, top, right - left, bottom - top)];
  }
  return parts.length ? parts : [whole];
};

const isPainted = (style) => +style.opacity > 0.1 && (shade(style.backgroundColor) > 0.1 || style.backgroundImage !== "none" || style.boxShadow !== "none" || style.content.replace(/["']/g, "").trim() !== "" || (parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== "none" && shade(style.borderTopColor) > 0.1));
// What is seen as the field: a bare input in a frame of its own (tags, searches, made-up selects) is as large as its frame.
const fieldOf = (input) => {
  const own = getComputedStyle(input);
  if (own.borderBottomStyle !== "none" && parseFloat(own.borderBottomWidth) > 0 && shade(own.borderBottomColor) > 0.1) return input;
  if (shade(own.backgroundColor) > 0.25 || own.boxShadow !== "none") return input;
  for (let up = input.parentElement, step = 0; up && step < 3; up = up.parentElement, step++) {
    if (up.getBoundingClientRect().height > 90 || up.querySelectorAll("input:not([type=hidden]),textarea,select,button,a[href]").length > 1) return input;
    const style = getComputedStyle(up);
    if (hasFrame(style) || (style.boxShadow !== "none" && shade(style.backgroundColor) > 0.25)) return up;
  }
  return input;
};
// The drawn mark of a hidden checkbox or radio: a small box of the label, or of what stands beside the input.
const drawnMark = (input) => {
  const hosts = [input.nextElementSibling, ...(input.labels || []), input.parentElement].filter(Boolean);
  for (const label of input.labels || []) hosts.push(...label.querySelectorAll("span,i,div,svg"));
  if (input.nextElementSibling) hosts.push(...input.nextElementSibling.querySelectorAll("span,i,div,svg"));
  let best = null;
  const offer = (host, left, top, w, h) => {
    if (!(w >= 9 && w <= 70 && h >= 9 && h <= 44) || w / h > 3.2 || w / h < 0.75) return;
    if (!best || w * h > best.width * best.height) best = { left, top, right: left + w, bottom: top + h, width: w, height: h, host };
  };
  for (const host of hosts) {
    const base = host.getBoundingClientRect(), own = getComputedStyle(host);
    if (base.width < 1 || !host.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    for (const which of ["::before", "::after"]) {
      const style = getComputedStyle(host, which);
      if (style.content === "none" || style.content === "normal" || style.display === "none") continue;
      if (style.position !== "absolute" || style.transform !== "none" || !isPainted(style)) continue;
      const border = style.boxSizing === "border-box" ? 0 : 2 * (parseFloat(style.borderLeftWidth) || 0);
      offer(host, base.left + host.clientLeft + (parseFloat(style.left) || 0) + (parseFloat(style.marginLeft) || 0), base.top + host.clientTop + (parseFloat(style.top) || 0) + (parseFloat(style.marginTop) || 0), parseFloat(style.width) + border, parseFloat(style.height) + border);
    }
    if (!host.innerText?.trim() && (shade(own.backgroundColor) > 0.25 || own.backgroundImage !== "none" || parseFloat(own.borderTopWidth) > 0)) offer(host, base.left, base.top, base.width, base.height);
  }
  return best;
};

const isOff = (element) => Boolean(element.disabled || element.closest("[aria-disabled=true],fieldset[disabled]") || /(^|[\s-])disabled(\s|$)/.test(WORDS(element)) || (element.parentElement && element.parentElement.tagName === "LI" && /(^|[\s-])disabled(\s|$)/.test(WORDS(element.parentElement))));
const isOn = (element) => [element, element.parentElement].some((one) => one && (one === element || one.tagName === "LI") && (["true", "page"].includes(one.getAttribute("aria-selected") || one.getAttribute("aria-current")) || /(^|[\s-])(active|selected|current)(\s|$)/.test(WORDS(one))));
const push = (element, box, type, unsure = false) => {
  const mark = ["checkbox", "radio", "toggle"].includes(type), chosen = ["tab", "menu_item", "list_item"].includes(type);
  const aria = element.getAttribute("aria-checked");
  elements.push({ box, type, text: mark ? "" : say(element).slice(0, 200), checked: mark ? (element.tagName === "INPUT" ? element.checked : aria === null ? null : aria === "true") : null,
    selected: chosen ? isOn(element) : null, focused: document.activeElement === element, enabled: !isOff(element), covered: unsure });
};

// -- controls
let hiddenCount = 0;
const controls = [], frames = new Set();
for (const element of document.querySelectorAll("body *")) {
  const kind = controlKind(element);
  if (!kind) continue;
  const style = getComputedStyle(element);
  let rect = element.getBoundingClientRect();
  // The track of a slider may be a line of its own: what is seen and dragged is its knob.
  if (kind === "slider" && rect.height < 12) rect = new DOMRect(rect.left, rect.top + rect.height / 2 - 8, rect.width, 16);
  const marked = element.tagName === "INPUT" && ["checkbox", "radio"].includes(element.type);
  if (marked && (+style.opacity < 0.1 || rect.right < 0 || rect.width < 6 || style.visibility === "hidden" || style.display === "none" || style.clip !== "auto" || style.clipPath !== "none")) {
    const label = element.labels && element.labels[0];
    if (label && isPressLabel(label)) continue;
    const drawn = drawnMark(element);
    const box = drawn && seen(drawn.host, drawn, true);
    if (box) { push(element, box, kind); controls.push(element); continue; }
    const around = label && seen(label, label.getBoundingClientRect(), false);
    if (around) push(label, around, kind, true);
    continue;
  }
  // A native mark is drawn as a square in the middle, however its box is stretched.
  if (marked && style.appearance !== "none" && rect.width !== rect.height) {
    const side = Math.min(rect.width, rect.height);
    rect = new DOMRect(rect.left + (rect.width - side) / 2, rect.top + (rect.height - side) / 2, side, side);
  }
  const field = kind === "text_input" && element.tagName === "INPUT" ? fieldOf(element) : element;
  let box = field === element ? seen(element, rect, false) : seen(field, field.getBoundingClientRect(), false);
  if (!box && element.type === "file" && element.labels.length) box = seen(element.labels[0], element.labels[0].getBoundingClientRect(), false);
  if (!box) continue;
  if (kind === "unsure") { push(element, box, "button", true); continue; }
  push(element, box, field !== element && MADE_UP_SELECTS.test(WORDS(field)) && getComputedStyle(field).cursor === "pointer" ? "dropdown" : kind);
  controls.push(element);
  frames.add(field);
}

// -- things to press
const found = [];
for (const element of document.querySelectorAll("body *")) {
  if (controlKind(element) || element.closest("svg") !== null && element.tagName !== "svg") continue;
  const own = acts(element), heard = Boolean(element.__heard || element.onclick || element.onmousedown || element.onmouseup);
  if (!own && !heard && !points(element)) continue;
  if (["BODY", "HTML", "FORM", "MAIN", "SECTION", "LABEL"].includes(element.tagName) && !isPressLabel(element) && !(element.tagName === "LABEL" && own)) continue;
  if (element.isContentEditable || frames.has(element)) continue;
  const boxes = rectsOf(element).map((rect) => seen(element, rect, false)).filter(Boolean);
  if (!boxes.length) { if (isUnder(element)) hiddenCount++; continue; }
  found.push({ element, own: Boolean(own), points: getComputedStyle(element).cursor === "pointer", boxes });
}
const area = (box) => (box[2] - box[0]) * (box[3] - box[1]);
for (const one of found) {
  const { element } = one;
  const inner = found.filter((other) => other !== one && element.contains(other.element));
  const outer = found.filter((other) => other !== one && other.element.contains(element));
  const size = area(one.boxes[0]);
  const holds = controls.some((control) => element.contains(control));
  if (one.own) {
    // A role alone makes nothing clickable: what answers is inside.
    if (!["A", "BUTTON", "SUMMARY", "LABEL"].includes(element.tagName) && !element.hasAttribute("onclick") && !one.points && inner.some((other) => other.own)) continue;
    // The one link in a head that answers as a whole is the head.
    if (outer.some((other) => other.own && other.points && ["tab", "button", "option"].includes(other.element.getAttribute("role")) && !found.some((third) => third.own && third !== one && third !== other && other.element.contains(third.element)))) continue;
    // Same place, own action inside: that one is told.
    if (inner.some((other) => other.own && area(other.boxes[0]) > 0.6 * size)) continue;
    if (outer.some((other) => other.own && area(other.boxes[0]) < 1.1 * size && pressKind(other.element) === "tab")) { push(element, one.boxes[0], "tab"); continue; }
  } else {
    if (outer.some((other) => other.own)) continue;
    const told = inner.filter((other) => other.own);
    if (told.length || holds) {
      if (one.points && (told.length + holds === 1) && size < 0.2 * width * height && !told.some((other) => area(other.boxes[0]) > 0.5 * size)) push(element, one.boxes[0], "list_item", true);
      continue;
    }
    // Only a listener, and the pointer does not change: nobody can tell from the picture, nor can we. Parts of a
    // pointed-at whole are the whole.
    if (!one.points) { if (!inner.length && !outer.length && size < 0.1 * width * height) push(element, one.boxes[0], "button", true); continue; }
    if (outer.some((other) => other.points && !controls.some((control) => other.element.contains(control)) && !found.some((third) => third.own && other.element.contains(third.element)))) continue;
    if (size > 0.25 * width * height) continue;
  }
  if (size > 0.6 * width * height) continue;
  if (holds && one.own && element.tagName !== "A") { push(element, one.boxes[0], "button", true); continue; }
  const kind = pressKind(element);
  for (const box of one.boxes) push(element, box, kind);
}
for (const element of document.querySelectorAll("[contenteditable=true],[contenteditable='']")) {
  const box = seen(element, element.getBoundingClientRect(), false);
  // Without a frame or a ground of its own nobody can tell it from the page.
  const style = getComputedStyle(element);
  if (box) push(element, box, "textarea", area(box) > 0.5 * width * height || !(hasFrame(style) || style.boxShadow !== "none"));
}

// -- things to look at
const look = (element, rect, type) => {
  const box = seenBy((one, x, y) => { const there = document.elementFromPoint(x, y); return there && (there === one || one.contains(there) || there.contains(one)); })(element, rect, false);
  if (box) elements.push({ box, type, text: "", checked: null, selected: null, focused: false, enabled: null, covered: false });
};
for (const element of document.querySelectorAll("body *")) {
  const tag = element.tagName.toLowerCase();
  if (["img", "canvas", "video", "picture", "svg"].includes(tag)) {
    if (element.parentElement.closest("svg") || (tag === "img" && !element.naturalWidth) || tag === "picture") continue;
    const rect = element.getBoundingClientRect();
    if (rect.width >= 7 && rect.height >= 7) look(element, rect, Math.max(rect.width, rect.height) <= 48 ? "icon" : "image");
  } else if (!element.childElementCount && !["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName)) {
    const rect = element.getBoundingClientRect();
    if (rect.width < 7 || rect.height < 7 || rect.width > 72 || rect.height > 72) continue;
    const words = element.textContent.trim(), drawn = getComputedStyle(element, "::before").content.replace(/["']/g, "");
    const glyph = (text) => text && text.codePointAt(0) >= 0xe000 && (text.codePointAt(0) < 0xf900 || text.codePointAt(0) >= 0xf0000);
    if ((!words && glyph(drawn)) || glyph(words) || (words && isIconFont(element))) look(element, rect, "icon");
  }
}
for (const element of document.querySelectorAll("table")) look(element, element.getBoundingClientRect(), "table");
elements.push(...scrollBars(never));
const fields = [...document.querySelectorAll("input,select")].filter((field) => !["hidden", "image", "file", "color", "datetime-local", "month", "week"].includes(field.type));
return { elements, hidden: hiddenCount, texts: linesOfText(never, (parent) => isIconFont(parent) || /^[\ue000-\uf8ff]/.test(parent.textContent.trim()), fields) };
