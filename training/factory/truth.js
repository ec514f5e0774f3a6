// What can be seen on a generated page: marked elements with their visible boxes, and lines of text.
const elements = [];
const veil = [...document.body.children].find((e) => e.style.position === "fixed" && e.style.inset === "0px");
if (veil) veil.style.pointerEvents = "none";

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
const seen = seenBy(hits);
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
elements.push(...scrollBars(covered));
const texts = linesOfText(covered, (parent) => parent.closest("[data-c=icon]"), document.querySelectorAll("input[data-t],select[data-t]"));
return { elements, texts, unsure };
