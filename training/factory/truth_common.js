// What every truth script needs: the visible part of a box, the words of a control, scroll bars and lines of text.
const width = innerWidth, height = innerHeight;

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

const PROBES = [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.2], [0.5, 0.8]];
// The visible part of an element's box, or null: `hits(element, x, y)` says whether a click there is one on the element.
const seenBy = (hits) => (element, rect, hidden) => {
  if (rect.width < 4 || rect.height < 4) return null;
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: !hidden })) return null;
  const [left, top, right, bottom] = clip(element, rect);
  if (right - left < 4 || bottom - top < 4) return null;
  if (((right - left) * (bottom - top)) / (rect.width * rect.height) < 0.4) return null;
  let count = 0;
  for (const [a, b] of PROBES) if (hits(element, left + (right - left) * a, top + (bottom - top) * b)) count++;
  return count >= 3 ? [left, top, right, bottom] : null;
};

const say = (element) => {
  if (element.tagName === "SELECT") return element.selectedOptions[0] ? element.selectedOptions[0].text : "";
  if (element.tagName === "INPUT" && !["checkbox", "radio", "range"].includes(element.type)) return element.type === "password" ? "" : element.value || element.placeholder;
  if (element.tagName === "TEXTAREA") return element.value || element.placeholder;
  return (element.innerText || "").replace(/\s+/g, " ").trim();
};

const scrollBars = (covered) => {
  const elements = [];
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
  return elements;
};

// Lines of text as drawn; `isIcon` says which elements hold glyphs instead of words, `fields` are the controls that show text.
const linesOfText = (covered, isIcon, fields) => {
  const texts = [];
  const change = (text, style) => style.textTransform === "uppercase" ? text.toUpperCase() : style.textTransform === "lowercase" ? text.toLowerCase() : style.textTransform === "capitalize" ? text.replace(/(^|\s)\S/g, (c) => c.toUpperCase()) : text;
  const fragments = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const block = (element) => { let up = element; while (up && getComputedStyle(up).display.startsWith("inline")) up = up.parentElement; return up; };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || ["OPTION", "SCRIPT", "STYLE", "TEXTAREA", "SELECT"].includes(parent.tagName) || isIcon(parent)) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(parent), range = document.createRange(), size = parseFloat(style.fontSize);
    const words = [...node.data.matchAll(/\S+/g)].flatMap((word) => brokenWord(node, word, range));
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
      last.parts.push(part);
      last.text += (part.left - last.right > last.size * 0.12 ? " " : "") + part.text;
      last.right = part.right; last.top = Math.min(last.top, part.top); last.bottom = Math.max(last.bottom, part.bottom);
    } else lines.push({ ...part, parts: [part] });
  }
  const shown = (element, rect) => {
    const [left, top, right, bottom] = clip(element, rect);
    if (right - left < (rect.right - rect.left) * 0.97 - 0.5 || bottom - top < (rect.bottom - rect.top) * 0.85) return false;
    const self = (x) => { const there = document.elementFromPoint(x, (top + bottom) / 2); return there && (there === element || element.contains(there) || there.contains(element) || (there.tagName === "INPUT" && +getComputedStyle(there).opacity < 0.1)); };
    return self((left + right) / 2) && self(left + 2) && self(right - 2);
  };
  const pen = document.createElement("canvas").getContext("2d");
  for (const field of fields) {
    if (["checkbox", "radio", "range"].includes(field.type)) continue;
    if (["password", "date", "time", "number"].includes(field.type)) { doubt(field); continue; }
    const text = field.tagName === "SELECT" ? say(field) : field.value || field.placeholder;
    if (!text) continue;
    const style = getComputedStyle(field), rect = field.getBoundingClientRect(), size = parseFloat(style.fontSize);
    if (style.opacity < 0.1 || rect.width < 10 || !field.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    const wide = pen.measureText(text).width, pad = field.tagName === "SELECT" && style.appearance !== "none" ? 4 : 0;
    const from = rect.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft) + pad, until = rect.right - parseFloat(style.borderRightWidth) - parseFloat(style.paddingRight);
    if (wide > until - from + 1) { doubt(field); continue; }
    const left = style.textAlign === "center" ? (from + until - wide) / 2 : style.textAlign === "right" || style.textAlign === "end" ? until - wide : from;
    const middle = (rect.top + parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop) + rect.bottom - parseFloat(style.borderBottomWidth) - parseFloat(style.paddingBottom)) / 2;
    const hint = getComputedStyle(field, "::placeholder");
    const colour = field.tagName !== "INPUT" || field.value ? style.color : hint.opacity < 0.1 ? "rgba(0, 0, 0, 0)" : hint.color;
    const line = { text: change(text, style), left, right: left + wide, top: middle - size * 0.6, bottom: middle + size * 0.6, size, parent: field, style, block: field, colour };
    lines.push({ ...line, parts: [line] });
  }
  const drawn = lines.filter((line) => line.size >= 5 && line.text.trim());
  for (const line of drawn) { line.veiled = covered(line.parent); line.why = shown(line.parent, line) ? "" : "hidden"; }
  for (const line of readable(drawn)) texts.push({ box: clip(line.parent, line), text: line.text.replace(/\s+/g, " ").trim(), size_px: line.size, covered: line.veiled });
  return texts;
};
