// After loading: what comes in while scrolling is there, nothing moves, pictures of other hosts have something in their
// place, and what is missing is told.
((unneeded, furthest) => (async () => {
  const style = document.createElement("style");
  style.textContent = "*,*::before,*::after{animation-duration:1ms!important;animation-delay:0s!important;animation-iteration-count:1!important;transition:none!important;caret-color:transparent!important;scroll-behavior:auto!important}";
  document.head.append(style);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  for (let y = 0; y < Math.min(document.documentElement.scrollHeight, furthest); y += innerHeight) { scrollTo(0, y); await wait(20); }
  scrollTo(0, 0);
  for (const [index, image] of [...document.images].entries()) {
    if (!image.src || image.naturalWidth) continue;
    // Without a size of its own it is a mark beside words, a face, or a picture.
    const [usualWide, usualHigh] = /icon|flag|social/i.test(image.src + image.className) || (image.closest("a,button,label,li") && image.closest("a,button,label,li").innerText.trim()) ? [20, 20] : /avatar|user|face|logo/i.test(image.src + image.className) ? [48, 48] : [400, 300];
    const [, wide, high] = /(\d{2,4})(?:x|\/|,)(\d{2,4})/.exec(image.src) || [0, image.width || usualWide, image.height || usualHigh];
    const tone = (index * 67) % 360;
    image.removeAttribute("srcset");
    image.src = "data:image/svg+xml," + encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${tone},45%,72%)"/><stop offset="1" stop-color="hsl(${tone + 50},50%,38%)"/></linearGradient><rect width="100%" height="100%" fill="url(#g)"/><circle cx="72%" cy="28%" r="9%" fill="#fff8"/><path d="M0 ${high}L${wide * 0.4} ${high * 0.45}L${wide * 0.6} ${high * 0.7}L${wide * 0.75} ${high * 0.55}L${wide} ${high}z" fill="#0004"/></svg>`);
  }
  if (location.protocol !== "http:") return { sheets: 0, missing: ["the page went elsewhere"], fonts: [], lang: "", foreign: false };
  await document.fonts.ready;
  await wait(250);
  const links = [...document.querySelectorAll("link[rel~=stylesheet]")].filter((link) => link.hasAttribute("href") && !link.disabled && !/print/.test(link.media) && !new RegExp(unneeded, "i").test(link.href));
  return { sheets: document.styleSheets.length - 1, missing: links.filter((link) => !link.sheet || new URL(link.href, location).host !== location.host).map((link) => link.getAttribute("href")),
    fonts: [...document.fonts].filter((font) => font.status === "error").map((font) => font.family), lang: document.documentElement.lang, foreign: /[\u0400-\u05ff\u0600-\u06ff\u3040-\u9fff\uac00-\ud7af]/.test(document.body.innerText) };
})())
