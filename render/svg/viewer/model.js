/* SPDX-License-Identifier: MIT */
/*
 * The profile as arrays by row: one row per stack, in preorder. The descendants of a row end before
 * end[row]. Row 0 is the root.
 */

/* Values of the column `frame` from which rows have a known frame, or one that the caller has had: frame_code.h */
const FRAME_KNOWN = 1, FRAME_CALLEE = 2;

let model;

async function decompress() {
  const text = embedded.textContent;
  if (embedded.getAttribute("class") === "plain") return JSON.parse(text);
  const blocks = text.split(",").map((base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).blob();
  });
  /* A block may end inside a character, so blocks are joined before they become text. */
  return JSON.parse(await new Blob(await Promise.all(blocks)).text());
}

function makeModel(data) {
  const diff = data.diff, rows = data.rows, count = rows.up.length + 1;
  const made = {
    unit: data.unit,
    of: data.of,
    factor: data.factor || 1,
    links: new Map(Object.entries(data.links || {})),
    name: [],
    module: [],
    kind: [],
    label: [], /* the displayed name */
    colour: [],
    source: data.sources || [],
    frame: new Int32Array(count),
    parent: new Int32Array(count),
    end: new Int32Array(count).fill(count),
    self: new Float64Array(count),
    diff: diff,
    significant: new Map(), /* changed functions: direction and minimum deviations, for self and total */
    before: { self: new Float64Array(count) },
    colourIndex: new Uint16Array(count).fill(5),
    confidence: new Uint16Array(count),
    gap: data.gaps && new Float64Array(count), /* flame charts: the gap to the left sibling */
    clock: data.clock, /* flame charts by thread: when the axis begins, and its duration; see lanes.js */
    sums: null, /* of the selected side: see readSums */
    after: {},
  };
  for (let i = 0; i < data.frames.length; i += 4) {
    made.name.push(data.names[data.frames[i]]);
    made.label.push(shownName(data.names[data.frames[i]]));
    made.module.push(data.modules[data.frames[i + 1]]);
    made.kind.push(data.frames[i + 2]);
    made.colour.push("#" + data.frames[i + 3].toString(16).padStart(6, "0"));
  }
  for (let i = 0, of = (diff && diff.judged) || []; i < of.length; i += 5)
    made.significant.set(of[i], { self: of.slice(i + 1, i + 3), total: of.slice(i + 3, i + 5) });
  made.frame[0] = -1;
  made.parent[0] = -1;
  made.self[0] = data.self;
  made.before.self[0] = diff ? diff.self : 0;
  const callees = []; /* by caller: the frames that rows have had below it */
  for (let row = 1, at = 0, added = 0, known = 0; row < count; row++, at++) {
    let below = row - 1;
    for (let up = rows.up[at]; up > 0; up--) {
      made.end[below] = row;
      below = made.parent[below];
    }
    made.parent[row] = below;
    const caller = made.frame[below] + 1, code = rows.frame[at];
    const list = callees[caller] || (callees[caller] = []);
    if (code < FRAME_CALLEE) list.push(code === FRAME_KNOWN ? rows.known[known++] : added++);
    made.frame[row] = list[code < FRAME_CALLEE ? list.length - 1 : code - FRAME_CALLEE];
    made.self[row] = rows.self[at];
    if (!diff) continue;
    made.before.self[row] = rows.before[at];
    made.colourIndex[row] = rows.colour[at];
    made.confidence[row] = rows.confidence[at];
  }
  made.total = totals(made.self, made.parent);
  made.before.total = totals(made.before.self, made.parent);
  made.after.self = made.self;
  made.after.total = made.total;
  made.leftOut = made.name.findIndex((name, frame) => marksLeftOut(name, made.kind[frame]));
  for (let i = 0, row = 1; data.gaps && i < data.gaps.length; i += 2) made.gap[(row += data.gaps[i])] = data.gaps[i + 1];
  if (data.functions) {
    made.after.sums = made.sums = readSums(data, diff ? 4 : 2, 0);
    made.before.sums = diff && readSums(data, 4, 1);
  }
  return made;
}

/*
 * Function sums over the whole profile, if the tree lacks some stacks: by frame, and by name for
 * names that several frames share.
 */
function readSums(data, stride, side) {
  const column = (at) => Float64Array.from(data.functions.filter((value, i) => i % stride === at));
  const sums = { self: column(2 * side), total: column(2 * side + 1), together: new Map() };
  for (let i = 0, step = stride / 2 + 1; i < data.together.length; i += step)
    sums.together.set(data.names[data.together[i]], data.together[i + 1 + side]);
  return sums;
}
