// The dark side of a page that has one: what its style sheets ask of the root or the body to be dark is given to them.
(() => {
  const rules = [...document.styleSheets].flatMap((sheet) => { try { return [...sheet.cssRules]; } catch { return []; } });
  const asked = new Set(rules.flatMap((rule) => (rule.selectorText || "").match(/\[data-(?:bs-|color-)?(?:theme|mode|scheme)=["']?dark["']?\]|(?:^|,\s*)(?:(?:html|body|:root)\.(?:dark|dark-mode|dark-theme|theme-dark)(?=[\s,:>]|$)|\.(?:dark|dark-mode|dark-theme|theme-dark)(?=\s+[\w.#]))/g) || []));
  for (const one of asked) {
    const [, name] = /\[data-([\w-]+)=/.exec(one) || [];
    if (name) { document.documentElement.setAttribute(`data-${name}`, "dark"); document.body.setAttribute(`data-${name}`, "dark"); continue; }
    const word = one.replace(/^.*\./, "");
    document.documentElement.classList.add(word); document.body.classList.add(word);
  }
})()
