/* SPDX-License-Identifier: MIT */
/*
 * The strip as a heat map: a column is a round duration, such as a second, and each of its bins is
 * a cell. Work that repeats shows as lines, and pauses as gaps.
 *
 *     all        ▂▃▅▂▁▁▂▇
 *     + 0.9 s    ░ ▓   ░     upwards: the time since the start of the column
 *     + 0        ▓ ░ ▓ ▓
 *                0    1    2 s
 */

const OFFSET_COLUMNS_MAX = 120, OFFSET_ROWS_MIN = 5, OFFSETS_HEIGHT = 160; /* pixels, about */

const offsets = {
  isOn: false,
  rowCount: 0, /* bins of a column */
  height: 0, /* of a cell, in pixels */
};

/**
 * The number of bins in a column. The duration of a column is a round number, with which there are neither too many
 * columns nor too few bins in a column.
 * @param {{width_ns: number, count: number}} bins
 */
function binsOfColumn(bins) {
  for (let step = axisStep(bins.width_ns * OFFSET_ROWS_MIN); ; step = axisStep(step * 1.5)) {
    const count = step / bins.width_ns;
    if (count % 1 === 0 && bins.count / count <= OFFSET_COLUMNS_MAX) return count;
  }
}

/** @param {boolean} isOn */
function setOffsets(isOn) {
  offsets.isOn = isOn;
  offsets.rowCount = binsOfColumn(capture.facts.bins);
  offsets.height = Math.max(2, Math.min(12, Math.floor(OFFSETS_HEIGHT / offsets.rowCount)));
}

function offsetsHeight() {
  return offsets.rowCount * offsets.height + 2;
}

/** Where a cell is drawn. The last column may have fewer bins than the others. */
function cellAt(look, bin) {
  const column = Math.floor(bin / offsets.rowCount), row = bin % offsets.rowCount, x = Math.floor(column * offsets.rowCount * look.scale);
  const wide = Math.floor((column + 1) * offsets.rowCount * look.scale) - x;
  return { x: x, y: STRIP_ALL + (offsets.rowCount - 1 - row) * offsets.height, wide: Math.max(1, wide - (wide > 4 ? 1 : 0)) };
}

function drawOffsets(look) {
  const most = strip.all.reduce((a, b) => Math.max(a, b), 0) || 1, { draw } = look;
  const colours = { empty: look.colour("--empty"), bars: look.colour("--bars"), hit: look.colour("--hit") };
  strip.all.forEach((weight, bin) => {
    const { x, y, wide } = cellAt(look, bin), high = offsets.height - (offsets.height > 4 ? 1 : 0), hit = strip.hits ? strip.hits[bin] : 0;
    draw.fillStyle = colours.empty;
    draw.fillRect(x, y, wide, high);
    draw.globalAlpha = 0.15 + 0.85 * Math.sqrt(weight / most);
    draw.fillStyle = colours.bars;
    if (weight) draw.fillRect(x, y, wide, high);
    draw.globalAlpha = hit ? 0.25 + 0.75 * Math.sqrt(hit / most) : 0;
    draw.fillStyle = colours.hit;
    if (hit) draw.fillRect(x, y, wide, high);
    draw.globalAlpha = 1;
  });
}

/** Fills the cells of a window; look has the colour. @param {TimeWindow} window */
function drawOffsetWindow(look, window) {
  const column = (bin) => Math.floor(bin / offsets.rowCount);
  look.draw.beginPath();
  for (let bin = window.from, end; bin < window.to; bin = end) {
    end = Math.min(window.to, (column(bin) + 1) * offsets.rowCount);
    const last = cellAt(look, end - 1), high = (end - bin) * offsets.height;
    look.draw.rect(last.x + 0.75, last.y + 0.75, Math.max(1, last.wide - 0.5), Math.max(1, high - 1.5));
  }
  look.draw.globalAlpha = 0.22;
  look.draw.fill();
  look.draw.globalAlpha = 1;
  look.draw.stroke();
}

/** The middle of the cell at a point, or -1 above the cells. @param {number} x from 0 to 1 @param {number} y in pixels */
function offsetBinAt(x, y) {
  const row = Math.floor((STRIP_ALL + offsets.rowCount * offsets.height - y) / offsets.height), count = strip.all.length;
  if (!offsets.isOn || y < STRIP_ALL) return -1;
  const column = Math.floor((Math.max(0, Math.min(0.999999, x)) * count) / offsets.rowCount);
  return Math.min(count - 0.5, column * offsets.rowCount + Math.max(0, Math.min(offsets.rowCount - 1, row)) + 0.5);
}
