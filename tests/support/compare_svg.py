# SPDX-License-Identifier: MIT
"""compare_svg.py THEIRS OURS [--skip-colours]: whether two flame graphs have the same boxes in the
same places, by their titles, and of the same colours. Prints what differs; exits with 1 then.
compare_svg.py --extract SVG: prints what is compared, as JSON, which THEIRS may be as well.

Places are pixels; 0.1 of one is what rounding may come to.
"""
import json
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"


def colour_of(text):
    parts = re.match(r"rgb\((\d+),(\d+),(\d+)\)$", text)
    if parts:
        return tuple(int(part) for part in parts.groups())
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))


def read(path):
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            return from_json(json.load(file))
    root = tree.parse(path).getroot()
    frames = next((g for g in root.iter() if g.get("id") == "frames"), None)
    boxes = []
    for group in frames if frames is not None else ():
        rect = group.find(SVG + "rect")
        label = group.find(SVG + "text")
        title = group.find(SVG + "title").text
        if rect is None:
            continue
        x, y, width, height = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
        text = (label.text or "") if label is not None else ""
        boxes.append((y, x, title, width, height, colour_of(rect.get("fill")), text))
    texts = {}
    for element in root.iter(SVG + "text"):
        if element.get("id") in ("title", "subtitle"):
            texts[element.get("id")] = element.text
    return {
        "size": (float(root.get("width")), float(root.get("height"))),
        "texts": texts,
        "boxes": sorted(boxes, key=lambda box: (box[0], round(box[1]), box[2])),
    }


def from_json(read_before):
    boxes = [(*box[:5], tuple(box[5]), box[6]) for box in read_before["boxes"]]
    return {**read_before, "size": tuple(read_before["size"]), "boxes": boxes}


def differences(theirs, ours, with_colours):
    for key in ("size", "texts"):
        if theirs[key] != ours[key]:
            yield f"{key}: {theirs[key]} and {ours[key]}"
    if len(theirs["boxes"]) != len(ours["boxes"]):
        yield f"{len(theirs['boxes'])} boxes and {len(ours['boxes'])}"
    names = ("y", "x", "title", "width", "height", "colour", "label")
    for a, b in zip(match(theirs["boxes"]), match(ours["boxes"])):
        for name, mine, other in zip(names, a, b):
            if name == "colour" and not with_colours:
                continue
            # Theirs gets its label from the script.
            if name == "label" and a[2].startswith("all ("):
                continue
            if name in ("x", "width"):
                # Both ends are rounded, each on its own.
                same = abs(mine - other) < 0.11
            else:
                same = mine == other
            if not same:
                yield f"{a[2]}: {name} is {mine} and {other}"


def match(boxes):
    """In an order that rounding does not change: a row's boxes from left to right."""
    return sorted(boxes, key=lambda box: (box[0], box[2], box[1], box[3]))


def main():
    if sys.argv[1] == "--extract":
        print(json.dumps(read(sys.argv[2]), separators=(",", ":")))
        return
    theirs, ours = (read(path) for path in sys.argv[1:3])
    found = list(differences(theirs, ours, "--skip-colours" not in sys.argv))
    for line in found[:20]:
        print(line)
    if not found:
        print(f"{len(ours['boxes'])} boxes")
    sys.exit(bool(found))


main()
