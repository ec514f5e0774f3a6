// What the pages do without asking the server: dialogs, the notice, and the wait of slow loading.
"use strict";

function show(id, shown) {
  const box = document.getElementById(id);
  if (box) box.hidden = !shown;
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  const closer = event.target.closest("[data-close]");
  if (opener) show(opener.dataset.open, true);
  if (closer) show(closer.dataset.close, false);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show("confirm-dialog", false);
});

for (const field of document.querySelectorAll("[data-required]")) {
  field.form.addEventListener("submit", (event) => {
    const empty = field.value.trim() === "";
    show(`${field.id}-missing`, empty);
    if (empty) event.preventDefault();
  });
}

const slowMs = Number(document.body.dataset.slowMs || 0);
if (slowMs > 0) {
  setTimeout(() => {
    document.body.classList.remove("loading");
    document.getElementById("spinner").remove();
  }, slowMs);
}
