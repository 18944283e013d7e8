/* SPDX-License-Identifier: MIT */
/*
 * Unpacks the profile, and lets the reader in.
 */

/* A page with more elements than that is slow to change: the still picture gives way when it was seen. */
const BOXES_MANY = 10000;

/* The marks and the panel of help above the boxes, and what stays in sight above those. */
function makeLayers() {
  svg.insertBefore(marks, foot);
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
  measureGlyph();
  recall();
  layOut();
  const isLarge = boxCount > BOXES_MANY;
  if (isLarge) await whenShown();
  makeLayers();
  if (fitWidth() || location.hash || isLarge) draw();
  while (still.parentNode && levels.length < stillLevels) levels.push([0, 0]);
  resize();
  listen();
  svg.classList.add("live");
  scrollToRoot();
}

if (packed)
  start().catch(() => {
    /* A browser that cannot unpack: the still picture is what there is, with its tooltips. */
  });
