// Other words for a page: each piece of text becomes one of about the same length. `phrases` is sorted by length.
((phrases, start) => {
  let turn = start;
  const foreign = /[\u0400-\u05ff\u0600-\u06ff\u3040-\u9fff\uac00-\ud7af]/;
  const other = (text) => {
    const wanted = text.length * (foreign.test(text) ? 2 : 1);
    let low = phrases.findIndex((phrase) => phrase.length >= wanted * 0.8), high = phrases.findIndex((phrase) => phrase.length > wanted * 1.15);
    if (low < 0) return null;
    if (high < 0) high = phrases.length;
    if (high <= low) return null;
    turn = (turn * 1103515245 + 12345) % 2147483648;
    const phrase = phrases[low + (turn % (high - low))];
    return text === text.toUpperCase() ? phrase.toUpperCase() : phrase;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement, text = node.data.trim();
    if (!foreign.test(text) && (text.length < 3 || !/[a-zà-ÿ]{3}/i.test(text)) || ["SCRIPT", "STYLE", "NOSCRIPT", "PRE", "CODE", "TEXTAREA"].includes(parent.tagName) || parent.closest("pre,code,svg,[contenteditable=true]")) continue;
    if (/icon|awesome|glyph|symbol/i.test(getComputedStyle(parent).fontFamily.split(",")[0])) continue;
    const phrase = other(text);
    if (phrase) node.data = node.data.replace(text, () => phrase);
  }
  for (const field of document.querySelectorAll("input[type=button],input[type=submit]")) { const phrase = other(field.value); if (phrase) field.value = phrase; }
  for (const field of document.querySelectorAll("input[placeholder]")) { const phrase = other(field.placeholder); if (phrase) field.placeholder = phrase; }
})
