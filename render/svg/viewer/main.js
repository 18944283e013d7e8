/* SPDX-License-Identifier: MIT */
/* Loads the profile and starts the viewer. */

/*
 * With more elements a page is slow to change, so the static frames are shown first and then
 * replaced.
 */
const RECTS_MANY = 10000;

/* Makes the Colours button from a copy of the search button, and puts it between search and reset button. */
function makeColoursButton() {
  const made = part("search").cloneNode(true);
  made.id = "colours";
  made.lastChild.textContent = "Colours";
  made.setAttribute("aria-label", "Colours: " + colouring());
  part("search").before(made);
  [made, part("reset")].forEach((button) => button.setAttribute("transform", "translate(-80,0)"));
}

/* Adds the overlay, the head and the help panel above the frames, and the buttons above those. */
function makeLayers() {
  svg.insertBefore(marks, foot);
  if (head) {
    head.prepend(element("rect", { class: "page", width: "100%", height: top }));
    svg.insertBefore(head, foot);
  }
  svg.insertBefore(bar, foot);
  makeHelp();
  /* Screen readers speak these texts when they change. */
  [matched, element("text", { id: "said" }, foot)].forEach((region) => region.setAttribute("role", "status"));
  makeColoursButton();
  ["search", "keys"].forEach((id) => part(id).setAttribute("aria-pressed", id === "search" && Boolean(term)));
}

function listen() {
  svg.addEventListener("click", (event) => {
    const button = event.target.closest(".button");
    const rect = button ? null : rectUnder(event);
    if (button) press(button);
    else if (rect && event.shiftKey) sandwich(rect);
    else if (rect && isFirstTap(rect)) return;
    else if (rect && !followLink(rect, event)) open(rect);
  });
  svg.addEventListener("pointerdown", (event) => (isTap = event.pointerType === "touch"));
  svg.addEventListener("pointermove", (event) => isTap || hover(rectUnder(event)));
  svg.addEventListener("pointerleave", () => isTap || hover(null));
  focusRings.forEach((ring) => ring.addEventListener("focus", () => cursor || focusRect(zoomedRect() || firstRect())));
  /* Inside another page, the graph handles keys only while it has the focus. */
  (isStandalone ? document : svg).addEventListener("keydown", onKey);
  window.addEventListener("scroll", followScroll);
  window.addEventListener("hashchange", () => {
    readAddress();
    draw();
  });
  window.addEventListener("resize", () => {
    if (fitWidth()) draw();
    followScroll();
  });
}

async function start() {
  model = makeModel(await decompress());
  if (model.diff) {
    first.side = model.diff.width;
    if (!model.diff.shades) help.splice(-2, 0, ["b", "widths: after, before, or the larger of both"]);
  }
  makeNodes();
  if (model.clock) makeLanes();
  measureGlyph();
  takeScreenWidth();
  useDetailLines();
  readAddress();
  fitWidth();
  layOut();
  const isLarge = rectCount > RECTS_MANY;
  if (isLarge) await whenShown();
  makeLayers();
  chooseColours(); /* the address may name colours, whose legend the head has */
  layOutHead();
  const isMoved = width !== staticWidth || top !== staticTop || ROW !== staticRow;
  if (isMoved || location.hash || isLarge || model.clock || levels.length > staticLevels) draw();
  while (staticFrames.parentNode && levels.length < staticLevels) levels.push([0, 0]);
  resize();
  listen();
  svg.classList.add("live");
  scrollToRoot();
}

if (embedded)
  start().catch(() => {
    /* Without DecompressionStream the static SVG remains, with its tooltips. */
  });
