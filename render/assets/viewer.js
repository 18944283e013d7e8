/* SPDX-License-Identifier: MIT */
/*
 * The viewer: zoom, search and keyboard on top of a picture that is complete without it.
 *
 * Boxes stand in the file parents first, so what stands on box i is a run of its own:
 * i + 1 up to, but without, last[i]. All geometry is read once; the document is only written to.
 */
(function () {
  "use strict";

  var svg = document.documentElement;
  var frames = document.getElementById("frames");
  var groups = Array.prototype.slice.call(frames.children);
  if (!groups.length) return;

  var details = document.getElementById("details");
  var matched = document.getElementById("matched");
  var searchButton = document.getElementById("search");
  var bar = document.getElementById("bar");
  var foot = document.getElementById("foot");
  var resetButton = document.getElementById("reset");

  var left = [], width = [], row = [], weight = [], label = [], title = [], last = [], parent = [];
  var rects = [], texts = [];
  var glyph = 7.2;
  var padding = 4;
  var zoomed = 0;
  var focused = 0;
  var idle = details.textContent;
  var term = "";
  var hits = [];
  var hitAt = -1;

  function number(element, name) {
    return parseFloat(element.getAttribute(name));
  }

  function readBoxes() {
    var open = [];
    groups.forEach(function (group, i) {
      var rect = group.querySelector("rect");
      var text = group.querySelector("text");
      var whole = group.querySelector("title").textContent;
      rects.push(rect);
      texts.push(text);
      left.push(number(rect, "x"));
      width.push(number(rect, "width"));
      row.push(number(rect, "y"));
      weight.push(number(group, "data-w"));
      title.push(whole);
      var first = whole.split("\n")[0];
      label.push(first.slice(0, first.lastIndexOf(" (")));
      group.setAttribute("tabindex", "-1");
    });
    var step = groups.length > 1 ? Math.abs(row[1] - row[0]) : 1;
    groups.forEach(function (group, i) {
      var depth = Math.round(Math.abs(row[i] - row[0]) / step);
      while (open.length > depth) last[open.pop()] = i;
      parent[i] = open.length ? open[open.length - 1] : -1;
      open.push(i);
    });
    while (open.length) last[open.pop()] = groups.length;
  }

  /* Glyphs are as wide as the reader's font makes them. */
  function measureGlyph() {
    var probe = document.createElementNS(svg.namespaceURI, "text");
    probe.textContent = "abcdefghijklmnopqrst";
    frames.appendChild(probe);
    var length = probe.getComputedTextLength();
    frames.removeChild(probe);
    if (length > 0) glyph = length / 20;
  }

  /* Black or white, as in the labels that were there from the beginning. */
  function labelColour(i) {
    var hex = parseInt(rects[i].getAttribute("fill").slice(1), 16);
    var shade = 0.05;
    [0.2126, 0.7152, 0.0722].forEach(function (share, k) {
      shade += share * Math.pow(((hex >> (16 - 8 * k)) & 255) / 255, 2.2);
    });
    return shade * shade < 1.05 * 0.05 ? "#fff" : null;
  }

  function write(i, x, w) {
    rects[i].setAttribute("x", x);
    rects[i].setAttribute("width", w);
    var fit = Math.floor((w - 2 * padding) / glyph);
    var text = texts[i];
    if (fit < 3) {
      if (text) text.setAttribute("display", "none");
      return;
    }
    if (!text) {
      text = texts[i] = document.createElementNS(svg.namespaceURI, "text");
      text.setAttribute("y", row[i] + 12.5);
      if (labelColour(i)) text.setAttribute("fill", labelColour(i));
      groups[i].appendChild(text);
    }
    text.removeAttribute("display");
    text.setAttribute("x", x + padding);
    var name = label[i];
    text.textContent = name.length > fit ? name.slice(0, fit - 1) + "…" : name;
  }

  function show(i, isShown) {
    if (isShown) groups[i].removeAttribute("display");
    else groups[i].setAttribute("display", "none");
  }

  function isAncestor(i, target) {
    return i < target && last[i] > target;
  }

  function zoom(target) {
    var scale = width[0] / width[target];
    zoomed = target;
    for (var i = 0; i < groups.length; i++) {
      var inside = i >= target && i < last[target];
      var isAncestorBox = isAncestor(i, target);
      var w = inside ? width[i] * scale : width[0];
      show(i, isAncestorBox || (inside && w >= 0.1));
      groups[i].classList.toggle("ancestor", isAncestorBox);
      if (isAncestorBox) write(i, left[0], width[0]);
      else if (inside && w >= 0.1) write(i, left[0] + (left[i] - left[target]) * scale, w);
    }
    if (!isShown(focused)) noteFocus(target);
    resetButton.classList.toggle("off", target === 0);
    count();
    remember();
  }

  function percent(part, whole) {
    var share = (100 * part) / whole;
    return share.toFixed(share < 10 ? 2 : 1) + "%";
  }

  /* What matches, counted once where a match stands on another. */
  function count() {
    var sum = 0;
    var i = zoomed;
    if (!term) {
      matched.textContent = " ";
      return;
    }
    while (i < last[zoomed]) {
      if (groups[i].classList.contains("hit")) {
        sum += weight[i];
        i = last[i];
      } else {
        i++;
      }
    }
    /* Boxes that were not drawn may match too. */
    matched.textContent = "Matched: " + (idle.trim() ? "at least " : "") + percent(sum, weight[zoomed]);
  }

  function pattern(text) {
    try {
      return new RegExp(text, /[A-Z]/.test(text) ? "" : "i");
    } catch (error) {
      return null;
    }
  }

  function search(text) {
    var expression = text ? pattern(text) : null;
    if (text && !expression) return false;
    term = text;
    hits = [];
    hitAt = -1;
    groups.forEach(function (group, i) {
      var isHit = expression !== null && expression.test(label[i]);
      group.classList.toggle("hit", isHit);
      if (isHit) hits.push(i);
    });
    searchButton.lastChild.textContent = text ? "Clear" : "Search";
    count();
    remember();
    return true;
  }

  function nextHit(step) {
    var seen = hits.filter(function (i) {
      return !groups[i].hasAttribute("display");
    });
    if (!seen.length) return;
    hitAt = (hitAt + step + seen.length) % seen.length;
    focus(seen[hitAt]);
  }

  function tell(i) {
    var lines = title[i].split("\n");
    var text = lines.join(", ");
    if (parent[i] > 0) text += ", " + percent(weight[i], weight[parent[i]]) + " of its caller";
    details.textContent = text;
  }

  /* Of all boxes one can be reached by the tab key: the last that had the focus. */
  function noteFocus(i) {
    groups[focused].setAttribute("tabindex", "-1");
    focused = i;
    groups[i].setAttribute("tabindex", "0");
  }

  function focus(i) {
    if (isShown(i)) groups[i].focus();
  }

  function isShown(i) {
    return groups[i] !== undefined && !groups[i].hasAttribute("display");
  }

  /* The nearest box beside i in its row that is shown. */
  function beside(i, step) {
    for (var k = i + step; k >= 0 && k < groups.length; k += step) {
      if (row[k] === row[i] && isShown(k)) return k;
    }
    return i;
  }

  /* The widest box that stands on i. */
  function child(i) {
    var best = -1;
    for (var k = i + 1; k < last[i]; k = last[k]) {
      if (isShown(k) && (best < 0 || width[k] > width[best])) best = k;
    }
    return best < 0 ? i : best;
  }

  function askForTerm() {
    if (document.getElementById("entry")) return;
    var box = searchButton.querySelector("rect");
    var holder = document.createElementNS(svg.namespaceURI, "foreignObject");
    var input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
    holder.setAttribute("id", "entry");
    holder.setAttribute("x", number(box, "x") + number(box, "width") - 260);
    holder.setAttribute("y", number(box, "y"));
    holder.setAttribute("width", 260);
    holder.setAttribute("height", 24);
    input.setAttribute("aria-label", "Search: a regular expression");
    input.setAttribute("placeholder", "regular expression");
    input.value = term;
    holder.appendChild(input);
    bar.appendChild(holder);
    input.focus({ preventScroll: true });
    input.addEventListener("input", function () {
      input.className = search(input.value) ? "" : "wrong";
    });
    input.addEventListener("keydown", function (event) {
      event.stopPropagation();
      if (event.key === "Escape") search("");
      if (event.key === "Escape" || event.key === "Enter") input.blur();
    });
    input.addEventListener("blur", function () {
      if (holder.parentNode) holder.parentNode.removeChild(holder);
    });
  }

  function remember() {
    var parts = [];
    if (zoomed) parts.push("zoom=" + zoomed);
    if (term) parts.push("search=" + encodeURIComponent(term));
    try {
      history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
    } catch (error) {
      /* Some places that show a file do not let it change its address. */
    }
  }

  function decoded(value) {
    try {
      return decodeURIComponent(value);
    } catch (error) {
      return "";
    }
  }

  /* The view a link asks for; what it does not mention is as it was at first. */
  function recall() {
    var wanted = { zoom: "0", search: "" };
    location.hash.slice(1).split("&").forEach(function (part) {
      var at = part.indexOf("=");
      wanted[part.slice(0, at)] = decoded(part.slice(at + 1));
    });
    search(wanted.search);
    zoom(groups[wanted.zoom] === undefined ? 0 : Number(wanted.zoom));
  }

  /* The buttons and the line of details stay in sight, and so does the root at first, which all
   * reading starts from. */
  function followScroll() {
    var below = number(svg, "height") - window.innerHeight - window.scrollY;
    bar.setAttribute("transform", "translate(0," + window.scrollY + ")");
    foot.setAttribute("transform", "translate(0," + -Math.max(0, below) + ")");
  }

  function scrollToRoot() {
    var bottom = number(svg, "height") - window.innerHeight;
    if (row[0] > row[row.length - 1] && bottom > 0) window.scrollTo(0, bottom);
    followScroll();
  }

  function groupOf(node) {
    while (node && node.parentNode !== frames) node = node.parentNode;
    return node ? groups.indexOf(node) : -1;
  }

  function onKey(event) {
    var i = focused;
    var isPress = event.key === "Enter" || event.key === " ";
    var isSearch = event.key === "/" || ((event.ctrlKey || event.metaKey) && event.key === "f");
    if (isSearch) askForTerm();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === "Escape") zoom(0);
    else if (event.key === "n") nextHit(1);
    else if (event.key === "N") nextHit(-1);
    else if (isPress && event.target === searchButton) toggleSearch();
    else if (isPress && event.target === resetButton) zoom(0);
    else if (isPress && groupOf(event.target) >= 0) zoom(i);
    else if (event.key === "ArrowLeft") focus(beside(i, -1));
    else if (event.key === "ArrowRight") focus(beside(i, 1));
    else if (event.key === (row[0] > row[row.length - 1] ? "ArrowUp" : "ArrowDown")) focus(child(i));
    else if (event.key === (row[0] > row[row.length - 1] ? "ArrowDown" : "ArrowUp")) focus(Math.max(parent[i], 0));
    else return;
    event.preventDefault();
  }

  function toggleSearch() {
    if (term) search("");
    else askForTerm();
  }

  frames.addEventListener("click", function (event) {
    var i = groupOf(event.target);
    if (i >= 0) zoom(i);
  });
  frames.addEventListener("mouseover", function (event) {
    var i = groupOf(event.target);
    if (i >= 0) tell(i);
  });
  frames.addEventListener("mouseleave", function () {
    details.textContent = idle;
  });
  frames.addEventListener("focusin", function (event) {
    var i = groupOf(event.target);
    if (i < 0) return;
    noteFocus(i);
    tell(i);
  });
  searchButton.addEventListener("click", toggleSearch);
  resetButton.addEventListener("click", function () {
    zoom(0);
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("scroll", followScroll);
  window.addEventListener("resize", followScroll);
  window.addEventListener("hashchange", recall);

  readBoxes();
  measureGlyph();
  svg.classList.add("live");
  resetButton.classList.add("off");
  groups[0].setAttribute("tabindex", "0");
  recall();
  scrollToRoot();
})();
