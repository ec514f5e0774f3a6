// Tells the scripted person where things are, in client pixels; it takes the place of eyes in a demonstration.
// What is typed is never told, only whether a field holds anything.
"use strict";

(() => {
  const page = performance.timeOrigin;
  let pointer = null;
  let waiting = null;

  // The browser drops clicks and keys until a new page is really on the screen; nobody sees it before either.
  function isOnScreen() {
    return performance.getEntriesByName("first-contentful-paint").length > 0 || performance.now() > 3000;
  }

  function report() {
    waiting = null;
    if (document.readyState !== "complete" || document.body.classList.contains("loading")) return;
    if (!isOnScreen()) return soon(30);
    const items = {}, covered = [], filled = [];
    for (const element of document.querySelectorAll("[data-ref]")) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const name = element.dataset.ref;
      items[name] = [box.x, box.y, box.width, box.height];
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (top && !element.contains(top)) covered.push(name);
      if (element.value) filled.push(name);
    }
    const saying = document.querySelector(".message");
    const said = saying ? saying.lastChild.textContent.trim() : "";
    const viewport = [window.innerWidth, window.innerHeight];
    const body = { page, url: location.href, title: document.title, dpr: window.devicePixelRatio, viewport, pointer,
                   items, covered, filled, said };
    fetch("/truth/layout", { method: "POST", body: JSON.stringify(body), keepalive: true }).catch(() => {});
  }

  function soon(delayMs) {
    if (waiting === null) waiting = setTimeout(() => requestAnimationFrame(report), delayMs);
  }

  new MutationObserver(() => soon(20)).observe(document, { attributes: true, childList: true, subtree: true });
  window.addEventListener("load", () => soon(0));
  window.addEventListener("pageshow", () => soon(0));
  window.addEventListener("resize", () => soon(20));
  document.addEventListener("scroll", () => soon(40), true);
  document.addEventListener("input", () => soon(40));
  document.addEventListener("pointermove", (event) => {
    pointer = { clientX: event.clientX, clientY: event.clientY };
    soon(80);
  });
})();
