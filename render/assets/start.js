/* SPDX-License-Identifier: MIT */
/*
 * Unpacks the profile, and lets the reader in.
 */

let drawing, outline, ring;

function makeLayers() {
  const overlay = element("g", { id: "overlay" });
  drawing = element("g", { id: "frames" });
  outline = element("rect", { id: "pointed", height: BOX, display: "none" }, overlay);
  ring = element("rect", { id: "cursor", height: BOX, display: "none", tabindex: "0", role: "img" }, overlay);
  svg.insertBefore(overlay, foot);
  svg.insertBefore(bar, foot);
  makeHelp();
}

function listen() {
  svg.addEventListener("click", (event) => {
    const button = event.target.closest(".button");
    const box = button ? null : boxUnder(event);
    if (button) press(button);
    else if (box && event.shiftKey) sandwich(box);
    else if (box && !followLink(box, event)) open(box);
  });
  svg.addEventListener("pointermove", (event) => point(boxUnder(event)));
  svg.addEventListener("pointerleave", () => point(null));
  document.addEventListener("keydown", onKey);
  window.addEventListener("scroll", followScroll);
  window.addEventListener("hashchange", () => {
    recall();
    draw();
  });
  window.addEventListener("resize", () => {
    if (fitWidth()) draw();
    followScroll();
  });
}

async function start() {
  model = makeModel(await unpack());
  if (model.diff) {
    first.side = model.diff.width;
    help.splice(-2, 0, ["b", "widths: after, before, or the larger of both"]);
  }
  makeLayers();
  measureGlyph();
  svg.classList.add("live");
  recall();
  if (fitWidth() || location.hash) draw();
  else layOut();
  while (still.parentNode && levels.length < stillLevels) levels.push([]);
  resize();
  listen();
  scrollToRoot();
}

if (packed)
  start().catch(() => {
    /* A browser that cannot unpack: the still picture is what there is, with its tooltips. */
  });
