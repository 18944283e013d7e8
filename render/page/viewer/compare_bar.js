/* SPDX-License-Identifier: MIT */
/*
 * The controls of a comparison, above the graph:
 *
 *     [Change] [Before] [After] [Side by side]   Normalise [total]   Confidence --o-- 99%
 *     less ▪▪▪▪  no significant change ▪  more ▪▪▪▪  gone ▪  new ▪
 */

const COMPARE_VIEWS = [
  { name: "change", text: "Change", side: 0, hint: "Both sides as one graph; widths are those of the larger side" },
  { name: "before", text: "Before", side: 2, hint: "The side before" },
  { name: "after", text: "After", side: 1, hint: "The side after" },
  { name: "both", text: "Side by side", side: 1, hint: "Both sides; a zoom applies to both" },
];
const NORMALISATIONS = { total: "total: shares", time: "time: per second", cpu: "CPUs: per CPU second", none: "none: weights", samples: "samples", ops: "operations", factor: "factor" };

const compareBar = {
  views: html("div", { class: "views", role: "group", "aria-label": "Sides" }),
  normalise: html("select", { id: "normalise" }),
  confidence: html("input", { type: "range", id: "confidence", min: "0", step: "1" }),
  shown: html("output", { for: "confidence" }),
  terms: html("p", { id: "terms", class: "missing" }),
};

function compareView() {
  return COMPARE_VIEWS.find((one) => one.name === view.compare) || COMPARE_VIEWS[0];
}

/** Variants of the normalisation in use, by confidence. */
function confidences() {
  const { normalise } = variantInUse();
  return capture.compared.variants.filter((variant) => variant.normalise === normalise);
}

/**
 * The variant of a normalisation with the nearest confidence. A value that is not given is taken from the variant that
 * the page was written for.
 */
function findVariant(normalise, confidence) {
  const { variants, first } = capture.compared;
  const wanted = variants.filter((variant) => variant.normalise === (normalise || variants[first].normalise));
  const target = confidence > 0 ? confidence : variants[first].confidence;
  const off = (variant) => Math.abs(Math.log(1 - variant.confidence) - Math.log(1 - target));
  return wanted.length ? variants.indexOf(wanted.reduce((a, b) => (off(b) < off(a) ? b : a))) : first;
}

/** @param {number} confidence */
function confidenceText(confidence) {
  return Number((100 * confidence).toPrecision(6)) + "%";
}

function chooseVariant(variant) {
  selection.variant = variant;
  changed({ isNewTree: true });
}

/** Shows which controls are on. */
function drawCompareBar() {
  const variant = variantInUse(), list = confidences();
  Array.from(compareBar.views.children).forEach((made) => made.setAttribute("aria-pressed", String(made.dataset.name === compareView().name)));
  compareBar.normalise.value = variant.normalise;
  compareBar.confidence.max = String(list.length - 1);
  compareBar.confidence.value = String(list.indexOf(variant));
  compareBar.confidence.setAttribute("aria-valuetext", confidenceText(variant.confidence));
  compareBar.shown.textContent = confidenceText(variant.confidence);
  const headline = section("head").querySelector(".headline");
  if (headline) headline.textContent = variant.headline;
  compareBar.terms.textContent = isJudged() ? variant.terms
    : model.judged ? "Windows of the captures: shares of functions are compared, and p values allow for bursts within each window."
      : model.isBeingJudged ? "Windows of the captures: judging changes…"
      : "Windows of the captures: changes are tested against independent samples only, and have no p values.";
}

function makeNormalise() {
  const { variants, impossible } = capture.compared;
  new Set(variants.map((variant) => variant.normalise)).forEach((name) => html("option", { value: name }, compareBar.normalise, NORMALISATIONS[name] || name));
  impossible.filter((one) => !variants.some((variant) => variant.normalise === one.normalise)).forEach((one) =>
    html("option", { value: one.normalise, disabled: "", title: one.reason }, compareBar.normalise, NORMALISATIONS[one.normalise] + " (not known)"));
  compareBar.normalise.addEventListener("change", () => chooseVariant(findVariant(compareBar.normalise.value, variantInUse().confidence)));
  compareBar.confidence.addEventListener("input", () => chooseVariant(capture.compared.variants.indexOf(confidences()[Number(compareBar.confidence.value)])));
}

/** Makes the legend of the colours. */
function makeCompareLegend(inside) {
  const legend = html("p", { class: "changes" }, inside);
  const group = (text, colours) => {
    const shown = html("span", {}, legend);
    colours.forEach((colour) => {
      const swatch = element("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, shown);
      element("rect", { width: 10, height: 10, fill: colour }, swatch);
    });
    html("span", {}, shown, text);
  };
  group("gone", [CHANGE_COLOURS[0]]);
  group("less, by over 5, 2, 0.5, 0 points", CHANGE_COLOURS.slice(1, 5));
  group(capture.compared.graded ? "no significant change" : "below 0.5 points (not graded)", [CHANGE_COLOURS[5]]);
  group("more, by over 0, 0.5, 2, 5 points", CHANGE_COLOURS.slice(6, 10));
  group("new", [CHANGE_COLOURS[10]]);
}

function makeCompareBar(inside) {
  const bar = html("div", { class: "bar" }, inside);
  COMPARE_VIEWS.forEach((one) => {
    button(compareBar.views, one.text, () => changed({ view: { compare: one.name, side: one.side } }), one.hint).dataset.name = one.name;
  });
  makeNormalise();
  bar.append(compareBar.views);
  html("label", { for: "normalise" }, bar, "Normalise by ").append(compareBar.normalise);
  if (capture.compared.graded) {
    const label = html("label", { for: "confidence" }, bar, "Confidence ");
    label.append(compareBar.confidence, compareBar.shown);
  }
  inside.append(compareBar.terms);
  makeCompareLegend(inside);
}
