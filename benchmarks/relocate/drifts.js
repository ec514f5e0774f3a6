// What may become of a page between two visits. `name` first, then one of the others, then the truth is taken.
window.drift = {
  name: () => { [...document.querySelectorAll("[data-t]")].forEach((element, index) => { element.dataset.rid = index; }); },
  kinds: () => [...document.querySelectorAll("[data-t]")].map((element) => element.dataset.t).join(),
  one: (rid) => document.querySelector(`[data-rid="${rid}"]`),
  about: () => [...document.querySelectorAll("[data-rid]")].map((element) => ({
    rid: element.dataset.rid, type: element.dataset.t, own: element.dataset.t !== "checkbox" && element.childElementCount <= 1,
    in_row: !!element.closest("[data-c=table_row]"), in_list: !!element.parentElement.closest("[data-t=list_item]") || element.dataset.t === "list_item",
    text: (element.innerText || "").replace(/\s+/g, " ").trim(), disabled: !!element.disabled, can_be_off: "disabled" in element,
    row: drift.said(drift.row(element)), neighbour: drift.neighbour(element), caption: drift.caption(element)?.data.trim() ?? "",
    words_show: drift.shows(drift.words(element)), caption_shows: drift.shows(drift.caption(element)),
  })),
  // Whether a text can be read: all of it on the screen, nothing cuts it off and nothing lies before it.
  shows: (node) => {
    const parent = node?.parentElement, range = document.createRange();
    if (!parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((one) => one.width > 0);
    const inside = (one, other) => one.left >= other.left - 2 && one.top >= other.top - 2 && one.right <= other.right + 2 && one.bottom <= other.bottom + 2;
    const clips = [{ left: 0, top: 0, right: innerWidth, bottom: innerHeight }];
    for (let up = parent; up && up !== document.body && up !== document.documentElement; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflowX !== "visible" || style.overflowY !== "visible") clips.push(up.getBoundingClientRect());
      if (style.position === "fixed") break;
    }
    const reached = (one) => {
      const there = document.elementFromPoint((one.left + one.right) / 2, (one.top + one.bottom) / 2);
      return !!there && (there.contains(parent) || parent.contains(there));
    };
    return rects.length > 0 && rects.every((one) => one.height >= 6 && clips.every((other) => inside(one, other)) && reached(one));
  },
  said: (element) => (element?.innerText ?? "").replace(/\s+/g, " ").trim(),
  row: (element) => element.closest("[data-c=table_row]") || element.parentElement.closest("[data-t=list_item]"),
  // The words a thing goes by: its own where it holds nothing else, else those it shares the least around with; a hint
  // in small print below or beside a field is not its name.
  caption: (element) => {
    if (["button", "link", "tab", "menu_item"].includes(element.dataset.t)) return element.childElementCount ? null : drift.words(element);
    for (let up = element.parentElement; up && up.querySelectorAll("[data-rid]").length === 1; up = up.parentElement) {
      const walker = document.createTreeWalker(up, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim() && !element.contains(node) && !node.parentElement.closest("small")) return node;
    }
    return null;
  },
  // The next thing of its kind close by that goes by other words.
  neighbour: (element) => {
    const caption = drift.caption(element), rect = element.getBoundingClientRect();
    const next = [...document.querySelectorAll(`[data-t="${element.dataset.t}"]`)].find((other) => {
      const at = other.getBoundingClientRect();
      return other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING && at.width > 7 && !other.disabled && Math.hypot(at.left - rect.left, at.top - rect.top) < 320;
    });
    const its = next && drift.caption(next);
    return caption && its && its.data.trim() !== caption.data.trim() ? next.dataset.rid : null;
  },
  // Whether both can still be read.
  swap: (rid, other) => {
    const one = drift.caption(drift.one(rid)), two = drift.caption(drift.one(other));
    [one.data, two.data] = [two.data, one.data];
    return drift.shows(one) && drift.shows(two);
  },
  // Rows in the order of what one of their cells says; false where the row of the target stays where it is.
  sort: (rid, cell, down) => {
    const row = drift.row(drift.one(rid)), rows = [...row.parentElement.children].filter((one) => one.dataset.c === row.dataset.c && one.dataset.t === row.dataset.t);
    const said = (one) => drift.said(one.children[cell % Math.max(1, one.children.length)] ?? one);
    const sorted = rows.map((one) => [said(one), one]).sort((one, two) => one[0].localeCompare(two[0], "en", { numeric: true })).map((one) => one[1]);
    if (down) sorted.reverse();
    if (sorted.indexOf(row) === rows.indexOf(row)) return false;
    sorted.forEach((one) => row.parentElement.append(one));
    return true;
  },
  disable: (rid) => { drift.one(rid).disabled = true; },
  fade: (rid) => { drift.one(rid).style.setProperty("opacity", "0.45", "important"); },
  // A dialog of the kit that asks a question; gives the button that says yes, and whether the question can be read.
  ask: (html, title, question, yes, no) => {
    document.querySelectorAll("[data-c=dialog]").forEach((one) => one.remove());
    [...document.body.children].filter((one) => one.style.inset === "0px").forEach((one) => one.remove());
    document.body.insertAdjacentHTML("beforeend", html);
    const dialog = document.body.querySelector("[data-c=dialog]"), words = document.createElement("p");
    const heading = drift.words(dialog.querySelector("[data-t=heading]"));
    heading.data = title;
    words.textContent = question;
    dialog.children[1].prepend(words);
    const buttons = [...dialog.lastElementChild.querySelectorAll("[data-t=button]")];
    buttons.forEach((button, index) => {
      button.disabled = false;
      drift.words(button).data = index === buttons.length - 1 ? yes : no[index % no.length];
    });
    drift.name();
    return { rid: buttons.at(-1).dataset.rid, shows: drift.shows(heading) && drift.shows(words.firstChild) };
  },
  words: (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim()) return node;
    return null;
  },
  banner: (text, height) => {
    const made = document.createElement("div");
    made.style.cssText = `padding:${height / 3}px 20px;background:#f5c518;color:#222`;
    made.textContent = text;
    document.body.prepend(made);
  },
  indent: (px) => { document.body.style.setProperty("padding-left", `${px}px`, "important"); },
  reverse: () => {
    const main = document.querySelector("main");
    const host = main.children.length === 1 ? main.firstElementChild : main;
    [...host.children].reverse().forEach((child) => host.append(child));
  },
  scroll: (px) => { scrollTo(0, px); },
  // Whether the new name can be read.
  rename: (rid, text) => { const node = drift.words(drift.one(rid)); node.data = text; return drift.shows(node); },
  // With what holds nothing else: an empty frame that is left looks like a field without a value.
  remove: (rid) => {
    let gone = drift.one(rid);
    const holds = (up) => up.childElementCount > 1 || up.matches("td,th,li,main,body,[data-c],[data-t]") || drift.said(up) !== drift.said(gone);
    while (!holds(gone.parentElement)) gone = gone.parentElement;
    gone.remove();
  },
  cover: (rid, title) => {
    const element = drift.one(rid), rect = element.getBoundingClientRect();
    const made = document.createElement("div"), width = Math.max(380, rect.width + 120), height = Math.max(190, rect.height + 120);
    const left = Math.min(Math.max(8, rect.left + rect.width / 2 - width * 0.4), innerWidth - width - 8);
    const top = Math.min(Math.max(8, rect.top + rect.height / 2 - 70), innerHeight - height - 8);
    made.style.cssText = `position:fixed;z-index:9000;left:${left}px;top:${top}px;width:${width}px;height:${height}px;background:#fff;color:#222;border:1px solid #777;box-shadow:0 3px 14px #0005;padding:12px`;
    const words = document.createElement("p"), button = document.createElement("button");
    words.textContent = title;
    button.textContent = (element.innerText || "").trim() || "OK";
    button.style.cssText = "position:absolute;right:16px;bottom:14px;padding:6px 16px;border:1px solid #888;background:#eee;color:#222;width:auto";
    made.append(words, button);
    document.body.append(made);
  },
};
