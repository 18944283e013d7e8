/* SPDX-License-Identifier: MIT */
/*
 * Details near the pointer. Numbers come first, so that a long name does not hide them.
 *
 *     12.3%   1,234 samples
 *     self 1.2%, 45% of its caller, 13% in all occurrences
 *     std::vector<...>::push_back
 *     libfoo.so, vector.h:120
 */

const TOOLTIP_NAME_MAX = 600;

const tooltip = html("div", { id: "tooltip", "aria-hidden": "true", hidden: "" });

/** The total of a function on the side in view. @param {number} frame */
function totalInView(frame) {
  if (!model.diff || view.side === 1) return model.functions.total[frame];
  const before = model.functionsBefore.total[frame] * model.diff.scale;
  /* Sums of functions are exact if stacks are left out, but rows are not. */
  return view.side === 2 ? before : Math.max(totalOf(frame), model.functions.total[frame], before);
}

/** The lines below the first. */
function shareLines(rect) {
  const all = model.total[0] || 1, parent = rectOf(rect.parent), parts = [];
  if (!rect.isAncestor && hasSelfWeight(rect)) parts.push("self " + percent(rect.self, all));
  if (parent && parent.frame >= 0) parts.push(percent(rect.weight, parent.weight) + " of its " + (rect.mode ? "callee" : "caller"));
  if (rect.frame >= 0 && model.kind[rect.frame] < MARK && model.kind[rect.frame] !== GROUP)
    parts.push(percent(totalInView(rect.frame), all) + " in all occurrences");
  return parts.join(", ");
}

function changeLine(rect) {
  const change = changeOf(rect.index, partInView()), was = capture.compared ? wholeOfSides() : model.before.total[0] * model.diff.scale || 1;
  return "before " + percent(change.before, was) + ", after " + percent(change.after, model.after.total[0] || 1) + ": " +
    signed(change.points, 2) + " points" + judgedText(rect.frame);
}

/** The verdict of kiln diff on the function as a whole. */
function judgedText(frame) {
  if (frame < 0 || !isJudged() || !capture.compared.graded || verdictOf(frame, "whole") < 0) return "";
  return "; the function: " + VERDICTS[verdictOf(frame, "whole")] + ", p = " + shortNumber(entryValue("p", frame));
}

function showTooltip(rect, event) {
  if (!rect || !menu.hidden || event.pointerType === "touch") {
    hideTooltip();
    return;
  }
  tooltip.replaceChildren();
  html("strong", {}, tooltip, percent(rect.weight, model.total[0] || 1) + "  " + weightText(view.side === 2 && model.diff ? rect.weight / model.diff.scale : rect.weight));
  if (model.diff) html("span", {}, tooltip, changeLine(rect));
  html("span", {}, tooltip, shareLines(rect));
  if (hasLanes()) html("span", {}, tooltip, describeTimes(rect).slice(2));
  html("span", { class: "name" }, tooltip, cut(nameOf(rect.frame), TOOLTIP_NAME_MAX));
  const place = rect.frame >= 0 ? [moduleName(rect.frame), model.source[rect.frame]].filter(Boolean).join(", ") : "";
  if (place) html("span", { class: "quiet" }, tooltip, place);
  noteLines(rect).forEach((line) => html("span", { class: "note" }, tooltip, cut(line, TOOLTIP_NAME_MAX)));
  tooltip.hidden = false;
  placeNear(tooltip, event.clientX + 14, event.clientY + 18);
}

function hideTooltip() {
  tooltip.hidden = true;
}
