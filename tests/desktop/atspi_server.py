"""What a screen reader sees of one program, asked for line by line. Run by the system's Python, which has `gi`.

Reads one JSON request a line from stdin, writes one JSON answer a line to stdout. Knows nothing of the project.
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def programs(pid):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(index)
        try:
            if program is not None and program.get_process_id() == pid:
                yield program
        except Exception:  # it has gone between two questions
            continue


def walk(node, depth=0):
    if node is None or depth > 60:
        return
    yield node
    try:
        count = node.get_child_count()
    except Exception:
        return
    if count > 500:  # a table of thousands of rows
        count = 500
    for index in range(count):
        try:
            yield from walk(node.get_child_at_index(index), depth + 1)
        except Exception:
            continue


def own_id(node):
    try:
        return (node.get_accessible_id() or "").rsplit(".", 1)[-1]
    except Exception:
        return ""


def text_of(node):
    try:
        text = node.get_text_iface()
        return Atspi.Text.get_text(text, 0, -1) if text is not None else ""
    except Exception:
        return ""


def told(node):
    box = node.get_component_iface()
    place = box.get_extents(Atspi.CoordType.SCREEN) if box is not None else None
    states = node.get_state_set()
    return {
        "id": own_id(node),
        "name": node.get_name() or "",
        "role": node.get_role_name(),
        "text": text_of(node),
        "box": [place.x, place.y, place.width, place.height] if place is not None else None,
        "showing": states.contains(Atspi.StateType.SHOWING),
        "enabled": states.contains(Atspi.StateType.ENABLED),
        "focused": states.contains(Atspi.StateType.FOCUSED),
        "active": states.contains(Atspi.StateType.ACTIVE),
    }


def answer(request):
    found = []
    for program in programs(request["pid"]):
        for node in walk(program):
            try:
                wanted = request.get("id")
                if wanted is not None and own_id(node) != wanted:
                    continue
                name = request.get("name")
                if name is not None and name not in (node.get_name() or ""):
                    continue
                one = told(node)
            except Exception:
                continue
            if one["showing"] or not request.get("showing", True):
                found.append(one)
    return found


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
