// Whether a line of text can be read where it stands: nothing lies over it, nothing cuts it, it does not fade into its paper.
// Asked of the page alone, never of a reader. What cannot be read whole goes to `unsure`, so that nobody takes its place for empty paper.
const unsure = [];

const ground = (colour) => { const parts = (colour.match(/[\d.]+/g) || []).map(Number); return parts.length < 3 ? [0, 0, 0, 0] : [parts[0], parts[1], parts[2], parts[3] ?? 1]; };
const PSEUDO = ["::before", "::after"];
const paints = (style) => +style.opacity > 0.1 && style.visibility === "visible" && (ground(style.backgroundColor)[3] * style.opacity > 0.2 || style.backgroundImage !== "none");
const drawnBy = (element) => PSEUDO.map((which) => getComputedStyle(element, which)).filter((style) => style.content !== "none" && style.display !== "none");
const REPLACED = ["IMG", "CANVAS", "VIDEO", "IFRAME", "path", "circle", "rect", "polygon", "polyline", "line", "ellipse", "use", "text", "tspan"];
const opacity = (element) => { let all = 1; for (let up = element; up; up = up.parentElement) all *= +getComputedStyle(up).opacity; return all; };
// What lies over a place of an element's text: painted, not only there to be clicked.
const hides = (over, element) => {
  if (opacity(over) < 0.1) return false;
  if (over.contains(element)) return drawnBy(over).some((style) => style.position !== "static" && style.zIndex !== "-1" && paints(style));
  return REPLACED.includes(over.tagName) || paints(getComputedStyle(over)) || drawnBy(over).some((style) => style.position !== "static" && paints(style)) || (["INPUT", "SELECT", "TEXTAREA"].includes(over.tagName) && (over.value || over.type === "checkbox" || over.type === "radio"));
};
// The ink of a part: from the top of its highest letter to the bottom of its lowest.
const inkPen = document.createElement("canvas").getContext("2d");
const inkOf = (part) => {
  const style = part.style;
  inkPen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const said = inkPen.measureText(part.text), tall = said.fontBoundingBoxAscent + said.fontBoundingBoxDescent;
  const scale = Math.min(2, Math.max(0.4, (part.bottom - part.top) / tall)), base = part.top + said.fontBoundingBoxAscent * scale;
  return { left: part.left, right: part.right, top: base - said.actualBoundingBoxAscent * scale, bottom: base + said.actualBoundingBoxDescent * scale };
};
// What is left of a text after all that clips it, the element it stands in included.
const clipped = (element, rect) => {
  const [left, top, right, bottom] = clip(element, rect), style = getComputedStyle(element), own = element.getBoundingClientRect();
  if (style.display === "inline" || (style.overflowX === "visible" && style.overflowY === "visible") || /^(INPUT|SELECT)$/.test(element.tagName)) return [left, top, right, bottom];
  return [Math.max(left, own.left + element.clientLeft), Math.max(top, own.top + element.clientTop), Math.min(right, own.left + element.clientLeft + element.clientWidth), Math.min(bottom, own.top + element.clientTop + element.clientHeight)];
};
const cutOff = (part, ink) => {
  const [left, top, right, bottom] = clipped(part.parent, ink);
  return ink.left < left - 0.5 || ink.right > right + 0.5 || ink.top < top - 0.75 || ink.bottom > bottom + 0.75;
};
const shortened = (part, ink) => {
  for (let up = part.parent; up && up !== document.body; up = up.parentElement) {
    const style = getComputedStyle(up);
    if (style.webkitLineClamp !== "none" && up.scrollHeight > up.clientHeight + 1 && ink.bottom > up.getBoundingClientRect().bottom - 1.6 * part.size) return true;
    if (style.textOverflow === "ellipsis" && style.overflowX !== "visible" && up.scrollWidth > up.clientWidth && part.right > up.getBoundingClientRect().right - part.size) return true;
  }
  return false;
};
const turned = (part) => {
  for (let up = part.parent; up; up = up.parentElement) {
    const style = getComputedStyle(up), turn = style.transform.startsWith("matrix(") ? style.transform.slice(7).split(",").map(parseFloat) : null;
    if (style.writingMode !== "horizontal-tb" || (turn && (Math.abs(turn[1]) > 0.02 || turn[0] < 0)) || !["none", "0deg"].includes(style.rotate)) return true;
  }
  return false;
};
const LEAST_CONTRAST = 24;
const fades = (part, stack) => {
  const [red, green, blue, alpha] = ground(part.colour || part.style.webkitTextFillColor || part.style.color), seen = alpha * opacity(part.parent);
  if (seen < 0.12) return true;
  let paper = [255, 255, 255], layers = [];
  for (const under of stack) {
    const style = getComputedStyle(under);
    if (REPLACED.includes(under.tagName) || style.backgroundImage !== "none" || drawnBy(under).some(paints)) return false;
    layers.push(ground(style.backgroundColor));
    if (layers[layers.length - 1][3] > 0.98) break;
  }
  for (const layer of layers.reverse()) paper = paper.map((value, i) => value + (layer[i] - value) * layer[3]);
  return Math.max(...[red, green, blue].map((value, i) => Math.abs(value - paper[i]))) * seen < LEAST_CONTRAST;
};
// A sign that the style sheet draws before or behind a text stands in no text node: the line says more than is known.
const adds = (part) => {
  for (let up = part.parent; up && up !== document.body; up = up.parentElement) {
    const signs = drawnBy(up).some((style) => /["“][^"]*[!-~¡-ɏ–—‘’“”•…€›‹»«\/][^"]*["”]/.test(style.content) && style.position === "static" && opacity(up) > 0.1 && ground(style.color)[3] > 0.1 && parseFloat(style.fontSize) > 4);
    if (signs) return true;
    if (up === part.block || !getComputedStyle(up).display.startsWith("inline")) return false;
  }
  return false;
};
// Why a part of a line cannot be read as it is said, or "".
const unreadable = (part) => {
  const ink = inkOf(part), step = Math.max(3, part.size * 0.4);
  const [left, top, right, bottom] = clipped(part.parent, ink);
  part.seen = { left, top, right, bottom };
  const first = turned(part) ? "turned" : cutOff(part, ink) ? "cut" : shortened(part, ink) ? "shortened" : adds(part) ? "adds" : "";
  const mine = (there) => part.parent === there || part.parent.contains(there);
  let hidden = 0, count = 0, faded = false;
  for (const share of [0.25, 0.7]) for (let x = Math.min(ink.left + 1.5, (ink.left + ink.right) / 2); x < ink.right; x += step) {
    const stack = document.elementsFromPoint(x, ink.top + (ink.bottom - ink.top) * share), at = stack.findIndex(mine);
    if (!count) faded = fades(part, at < 0 ? stack : stack.slice(at));
    count++;
    if (stack.slice(0, at < 0 ? stack.length : at).some((over) => hides(over, part.parent))) hidden++;
  }
  part.gone = hidden > 0.8 * count;
  part.free = !hidden && !faded;
  return first || (faded ? "fades" : hidden ? "covered" : "");
};
// A field whose words are drawn in a way that is not known, or are cut.
const doubt = (field) => {
  const [left, top, right, bottom] = clip(field, field.getBoundingClientRect());
  if (right > left && bottom > top && field.checkVisibility({ visibilityProperty: true, opacityProperty: true })) unsure.push({ box: [left, top, right, bottom], text: "", why: "field" });
};
// A word that goes on in the next line, after a hyphen or where there was no room: its pieces.
const brokenWord = (node, word, range) => {
  range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
  if (range.getClientRects().length < 2) return [word];
  const pieces = [];
  for (let at = word.index; at < word.index + word[0].length; at++) {
    range.setStart(node, at); range.setEnd(node, at + 1);
    const rect = range.getClientRects()[0], last = pieces[pieces.length - 1];
    if (last && (!rect || Math.abs(rect.top - last.top) < 2)) last[0] += node.data[at];
    else pieces.push(Object.assign([node.data[at]], { index: at, top: rect ? rect.top : 0 }));
  }
  return pieces;
};
// Two texts in one place: neither can be read.
const overdrawn = (lines) => {
  const parts = lines.flatMap((line) => line.parts.map((part) => ({ part, line }))).filter(({ part }) => part.free && part.seen.right > part.seen.left && part.seen.bottom > part.seen.top);
  parts.sort((a, b) => a.part.seen.left - b.part.seen.left);
  parts.forEach((one, i) => {
    for (const other of parts.slice(i + 1)) {
      const a = one.part.seen, b = other.part.seen;
      if (b.left > a.right - 1) break;
      if (one.line === other.line && Math.abs(a.left - b.left) > 2) continue;
      if (Math.min(a.right, b.right) - b.left > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.25 * Math.min(a.bottom - a.top, b.bottom - b.top)) {
        one.line.why = one.line.why || "overdrawn"; other.line.why = other.line.why || "overdrawn";
      }
    }
  });
};
// The lines of a page that can be read; of the others, where they are and why not.
const readable = (lines) => {
  const free = document.head.appendChild(document.createElement("style"));
  free.textContent = "*{pointer-events:auto !important}";
  for (const line of lines) for (const part of line.parts) { const why = unreadable(part); line.why = line.why || (line.veiled ? "" : why); }
  free.remove();
  overdrawn(lines.filter((line) => !line.veiled));
  for (const line of lines) if (line.why) {
    const shown = clipped(line.parent, line);
    if (shown[2] > shown[0] && shown[3] > shown[1] && !line.parts.every((part) => part.gone)) unsure.push({ box: shown, text: line.text, why: line.why });
  }
  return lines.filter((line) => !line.why);
};
