// What may become of a page between two visits. `name` first, then one of the others, then the truth is taken.
window.drift = {
  name: () => { [...document.querySelectorAll("[data-t]")].forEach((element, index) => { element.dataset.rid = index; }); },
  kinds: () => [...document.querySelectorAll("[data-t]")].map((element) => element.dataset.t).join(),
  one: (rid) => document.querySelector(`[data-rid="${rid}"]`),
  about: () => [...document.querySelectorAll("[data-rid]")].map((element) => ({
    rid: element.dataset.rid, type: element.dataset.t, own: element.dataset.t !== "checkbox" && element.childElementCount <= 1,
    in_row: !!element.closest("[data-c=table_row]"), in_list: !!element.parentElement.closest("[data-t=list_item]") || element.dataset.t === "list_item",
    text: (element.innerText || "").replace(/\s+/g, " ").trim(), disabled: !!element.disabled,
  })),
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
  rename: (rid, text) => { const node = drift.words(drift.one(rid)); node.data = text; },
  remove: (rid) => { drift.one(rid).remove(); },
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
