/* SPDX-License-Identifier: MIT */
/*
 * Unpacks the profile, and lets the reader in.
 */

/* A page with more elements than that is slow to change: the still picture gives way when it was seen. */
const BOXES_MANY = 10000;

let pointer, ring;

function makeLayers() {
  const overlay = element("g", { id: "overlay" });
  pointer = element("rect", { id: "pointed", height: BOX, display: "none" }, overlay);
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
    if (!model.diff.shades) help.splice(-2, 0, ["b", "widths: after, before, or the larger of both"]);
  }
  makeNodes();
  makeLayers();
  measureGlyph();
  svg.classList.add("live");
  recall();
  layOut();
  if (boxCount > BOXES_MANY) await whenShown();
  if (fitWidth() || location.hash || boxCount > BOXES_MANY) draw();
  while (still.parentNode && levels.length < stillLevels) levels.push([0, 0]);
  resize();
  listen();
  scrollToRoot();
}

if (packed)
  start().catch(() => {
    /* A browser that cannot unpack: the still picture is what there is, with its tooltips. */
  });
