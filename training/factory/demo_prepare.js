// Before a page's own scripts: nothing may stop the page, and who listens for clicks is remembered.
(() => {
  for (const name of ["alert", "print", "open"]) window[name] = () => undefined;
  window.confirm = () => false; window.prompt = () => null;
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (this instanceof Element && ["click", "mousedown", "pointerdown", "mouseup", "dblclick"].includes(type)) this.__heard = true;
    return listen.call(this, type, ...rest);
  };
})()
