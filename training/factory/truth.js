// What can be seen on a generated page: marked elements with their visible boxes, and lines of text.
(() => {
  const width = innerWidth, height = innerHeight;
  const elements = [], texts = [];
  const veil = [...document.body.children].find((e) => e.style.position === "fixed" && e.style.inset === "0px");
  if (veil) veil.style.pointerEvents = "none";

  const clip = (element, rect) => {
    let [left, top, right, bottom] = [Math.max(0, rect.left), Math.max(0, rect.top), Math.min(width, rect.right), Math.min(height, rect.bottom)];
    for (let up = element.parentElement; up && up !== document.documentElement; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (up !== document.body && (style.overflowX !== "visible" || style.overflowY !== "visible")) {
        const q = up.getBoundingClientRect();
        left = Math.max(left, q.left + up.clientLeft); top = Math.max(top, q.top + up.clientTop);
        right = Math.min(right, q.left + up.clientLeft + up.clientWidth); bottom = Math.min(bottom, q.top + up.clientTop + up.clientHeight);
      }
      if (style.position === "fixed") break;
    }
    return [left, top, right, bottom];
  };
  const covered = (element) => {
    if (!veil) return false;
    for (let up = element; up && up !== document.body; up = up.parentElement) if (up.style && +up.style.zIndex >= 5001) return false;
    return true;
  };
  const hits = (element, x, y) => {
    const there = document.elementFromPoint(x, y);
    if (!there) return false;
    if (there === element || element.contains(there)) return true;
    if (element.labels && [...element.labels].some((label) => label.contains(there))) return true;
    if (there.contains(element)) return getComputedStyle(element).pointerEvents === "none" || element.disabled || there.tagName === "LABEL" || there.hasAttribute("data-t") || element.dataset.c === "icon";
    if (element.parentElement && element.parentElement.contains(there) && there.tagName === "INPUT" && +getComputedStyle(there).opacity < 0.1) return true;
    return false;
  };
  const seen = (element, rect, hidden) => {
    if (rect.width < 4 || rect.height < 4) return null;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: !hidden })) return null;
    const [left, top, right, bottom] = clip(element, rect);
    if (right - left < 4 || bottom - top < 4) return null;
    if (((right - left) * (bottom - top)) / (rect.width * rect.height) < 0.4) return null;
    let count = 0;
    for (const [a, b] of [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.2], [0.5, 0.8]]) if (hits(element, left + (right - left) * a, top + (bottom - top) * b)) count++;
    return count >= 3 ? [left, top, right, bottom] : null;
  };
  const pseudo = (element) => {
    // A hidden input drawn by its label's ::before or ::after.
    const host = (element.nextElementSibling && ["LABEL", "SPAN"].includes(element.nextElementSibling.tagName) && element.nextElementSibling) || (element.labels && element.labels[0]);
    if (!host) return null;
    const base = host.getBoundingClientRect();
    let best = null;
    for (const which of ["::before", "::after"]) {
      const style = getComputedStyle(host, which);
      if (style.content === "none" || style.position !== "absolute") continue;
      const [w, h] = [parseFloat(style.width), parseFloat(style.height)];
      const border = parseFloat(style.borderLeftWidth) || 0, boxed = style.boxSizing === "border-box" ? 0 : 2 * border;
      if (!(w > 6 && w < 60 && h > 6)) continue;
      const left = base.left + (parseFloat(style.left) || 0) + (parseFloat(style.marginLeft) || 0), top = base.top + (parseFloat(style.top) || 0) + (parseFloat(style.marginTop) || 0);
      if (!best || w * h > best.width * best.height) best = { left, top, right: left + w + boxed, bottom: top + h + boxed, width: w + boxed, height: h + boxed, host };
    }
    return best;
  };
  const say = (element) => {
    if (element.tagName === "SELECT") return element.selectedOptions[0] ? element.selectedOptions[0].text : "";
    if (element.tagName === "INPUT" && !["checkbox", "radio", "range"].includes(element.type)) return element.type === "password" ? "" : element.value || element.placeholder;
    if (element.tagName === "TEXTAREA") return element.value || element.placeholder;
    return (element.innerText || "").replace(/\s+/g, " ").trim();
  };
  const focus = document.querySelector("[data-focus]");
  if (focus) focus.focus({ preventScroll: true });

  for (const element of document.querySelectorAll("[data-t],[data-c]")) {
    let type = element.dataset.t || element.dataset.c;
    let rects = [element.getBoundingClientRect()], host = element, hidden = false;
    const style = getComputedStyle(element);
    const marked = ["checkbox", "radio"].includes(type) && element.tagName === "INPUT";
    if (marked && (+style.opacity < 0.1 || rects[0].right < 0 || rects[0].width < 6 || style.visibility === "hidden" || style.clip !== "auto")) {
      const drawn = pseudo(element);
      if (!drawn) continue;
      rects = [drawn]; host = drawn.host; hidden = true;
    }
    if (type === "link") rects = [...element.getClientRects()];
    for (const rect of rects) {
      const box = seen(host, rect, hidden);
      if (!box) continue;
      const on = element.dataset.on === undefined ? null : element.dataset.on === "1";
      const mark = ["checkbox", "radio", "toggle"].includes(type);
      elements.push({ box, type, text: mark ? "" : say(element), checked: mark ? (element.tagName === "INPUT" ? element.checked : on) : null,
        selected: mark ? null : on, focused: document.activeElement === element, enabled: element.dataset.t ? !element.disabled : null, covered: covered(element) });
    }
  }
  for (const element of [document.documentElement, ...document.querySelectorAll("body *")]) {
    const root = element === document.documentElement;
    const spare = root ? innerWidth - element.clientWidth : element.offsetWidth - element.clientWidth - 2 * element.clientLeft;
    const spareDown = root ? innerHeight - element.clientHeight : element.offsetHeight - element.clientHeight - 2 * element.clientTop;
    if (spare < 6 && spareDown < 6 || spare > 30 || element.tagName === "SELECT") continue;
    const rect = root ? { left: 0, top: 0, right: width, bottom: height } : element.getBoundingClientRect();
    const bars = [];
    if (spare >= 6 && element.scrollHeight > element.clientHeight) bars.push({ left: rect.right - spare, right: rect.right, top: rect.top, bottom: rect.bottom });
    if (spareDown >= 6 && spareDown < 30 && element.scrollWidth > element.clientWidth) bars.push({ left: rect.left, right: rect.right, top: rect.bottom - spareDown, bottom: rect.bottom });
    for (const bar of bars) {
      const [left, top, right, bottom] = root ? [bar.left, bar.top, bar.right, bar.bottom] : clip(element, bar);
      const there = document.elementFromPoint((left + right) / 2 - (root ? 20 : 0), (top + bottom) / 2);
      if (right - left < 5 || bottom - top < 5 || (!root && there !== element)) continue;
      elements.push({ box: [left, top, right, bottom], type: "scrollbar", text: "", checked: null, selected: null, focused: false, enabled: null, covered: covered(element) });
    }
  }

  // -- lines of text
  const change = (text, style) => style.textTransform === "uppercase" ? text.toUpperCase() : style.textTransform === "lowercase" ? text.toLowerCase() : style.textTransform === "capitalize" ? text.replace(/(^|\s)\S/g, (c) => c.toUpperCase()) : text;
  const fragments = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const block = (element) => { let up = element; while (up && getComputedStyle(up).display.startsWith("inline")) up = up.parentElement; return up; };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || ["OPTION", "SCRIPT", "STYLE", "TEXTAREA", "SELECT"].includes(parent.tagName) || parent.closest("[data-c=icon]")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(parent), range = document.createRange(), size = parseFloat(style.fontSize);
    const words = [...node.data.matchAll(/\S+/g)];
    let line = null;
    for (const word of words) {
      range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
      const rect = range.getClientRects()[0];
      if (!rect || !rect.width) continue;
      if (line && Math.abs(rect.top - line.top) < size * 0.5 && rect.left >= line.right - 2) { line.text += " " + word[0]; line.right = rect.right; }
      else { line = { text: word[0], left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom, size, parent, style, block: block(parent) }; fragments.push(line); }
    }
  }
  const lines = [];
  for (const part of fragments) {
    part.text = change(part.text, part.style);
    const last = lines[lines.length - 1];
    if (last && last.block === part.block && Math.abs((last.top + last.bottom) / 2 - (part.top + part.bottom) / 2) < last.size * 0.4 && part.left >= last.right - 1 && part.left - last.right < last.size * 0.6) {
      last.text += (part.left - last.right > last.size * 0.12 ? " " : "") + part.text;
      last.right = part.right; last.top = Math.min(last.top, part.top); last.bottom = Math.max(last.bottom, part.bottom);
    } else lines.push(part);
  }
  const keep = (element, rect, text, size) => {
    if (size < 5 || !text.trim()) return;
    const [left, top, right, bottom] = clip(element, rect);
    if (right - left < (rect.right - rect.left) * 0.97 - 0.5 || bottom - top < (rect.bottom - rect.top) * 0.85) return;
    const self = (x) => { const there = document.elementFromPoint(x, (top + bottom) / 2); return there && (there === element || element.contains(there) || there.contains(element) || (there.tagName === "INPUT" && +getComputedStyle(there).opacity < 0.1)); };
    if (!self((left + right) / 2) || !self(left + 2) || !self(right - 2)) return;
    texts.push({ box: [left, top, right, bottom], text: text.replace(/\s+/g, " ").trim(), size_px: size, covered: covered(element) });
  };
  for (const line of lines) keep(line.parent, { left: line.left, top: line.top, right: line.right, bottom: line.bottom }, line.text, line.size);
  const pen = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input[data-t],select[data-t]")) {
    if (["checkbox", "radio", "range", "password", "date", "time", "number"].includes(field.type)) continue;
    const text = field.tagName === "SELECT" ? say(field) : field.value || field.placeholder;
    if (!text) continue;
    const style = getComputedStyle(field), rect = field.getBoundingClientRect(), size = parseFloat(style.fontSize);
    if (style.opacity < 0.1 || rect.width < 10 || !field.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    const wide = pen.measureText(text).width, pad = field.tagName === "SELECT" && style.appearance !== "none" ? 4 : 0;
    const from = rect.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft) + pad, until = rect.right - parseFloat(style.borderRightWidth) - parseFloat(style.paddingRight);
    if (wide > until - from + 1) continue;
    const left = style.textAlign === "center" ? (from + until - wide) / 2 : style.textAlign === "right" || style.textAlign === "end" ? until - wide : from;
    const middle = (rect.top + parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop) + rect.bottom - parseFloat(style.borderBottomWidth) - parseFloat(style.paddingBottom)) / 2;
    keep(field, { left, right: left + wide, top: middle - size * 0.6, bottom: middle + size * 0.6 }, change(text, style), size);
  }
  return { elements, texts };
})()
