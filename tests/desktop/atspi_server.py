"""What a screen reader sees and hears of one program, asked line by line. Run by the system's Python, which has `gi`.

Reads one JSON request a line from stdin, writes one JSON answer a line to stdout. Knows nothing of the project.
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

CLOSED = {"combo box", "table", "tree", "tree table", "list"}
"""Their rows are not looked at: a closed box says of them that they show, and a table may have thousands."""
GONE = GLib.Error
"""A widget went away between two questions."""
heard = []
known = {}
"""Where something was found the last time: most is asked for again and again, and going through a window takes long."""


def programs(pid):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        try:
            program = desktop.get_child_at_index(index)
            if program is not None and program.get_process_id() == pid:
                yield program
        except GONE:
            continue


def shows(node):
    return node.get_state_set().contains(Atspi.StateType.SHOWING)


def walk(node, rows, depth=0):
    """Everything that shows, parents first; what is hidden has only hidden children."""
    if node is None or depth > 60:
        return
    try:
        if depth and not shows(node):
            return
        yield node
        if not rows and node.get_role_name() in CLOSED:
            return
        count = min(node.get_child_count(), 500)
    except GONE:
        return
    for index in range(count):
        try:
            child = node.get_child_at_index(index)
        except GONE:
            continue
        yield from walk(child, rows, depth + 1)


def own_id(node):
    try:
        return (node.get_accessible_id() or "").rsplit(".", 1)[-1]
    except GONE:
        return ""


def text_of(node):
    text = node.get_text_iface()
    return Atspi.Text.get_text(text, 0, -1) if text is not None else ""


def described(node):
    box = node.get_component_iface()
    place = box.get_extents(Atspi.CoordType.SCREEN) if box is not None else None
    states = node.get_state_set()
    return {
        "id": own_id(node),
        "name": node.get_name() or "",
        "role": node.get_role_name(),
        "text": text_of(node),
        "box": [place.x, place.y, place.width, place.height] if place is not None else None,
        "enabled": states.contains(Atspi.StateType.ENABLED),
        "focused": states.contains(Atspi.StateType.FOCUSED),
        "focusable": states.contains(Atspi.StateType.FOCUSABLE),
        "active": states.contains(Atspi.StateType.ACTIVE),
    }


def roots(request):
    """The program, or what of it has the id `within`: a window, or with `panel` anything in one."""
    within = request.get("within")
    for program in programs(request["pid"]):
        program.clear_cache()
        if within is None:
            yield program
        elif request.get("panel"):
            yield from [node for node in walk(program, False) if own_id(node) == within]
        else:
            tops = [program.get_child_at_index(index) for index in range(program.get_child_count())]
            yield from [top for top in tops if top is not None and own_id(top) == within and shows(top)]


def fits(node, request):
    if "id" in request and own_id(node) != request["id"]:
        return False
    if "name" in request and request["name"] not in (node.get_name() or ""):
        return False
    if "role" in request and node.get_role_name() != request["role"]:
        return False
    if "text" in request and request["text"] not in text_of(node):
        return False
    return not request.get("focused") or node.get_state_set().contains(Atspi.StateType.FOCUSED)


def find(request):
    for root in roots(request):
        for node in walk(root, request.get("rows", False)):
            try:
                if fits(node, request):
                    yield node
            except GONE:
                continue


def look(request):
    if not request.get("first"):
        return [row for row in map(attempt, find(request)) if row]
    place = (request["pid"], request.get("within"), request.get("id"))
    before = known.get(place) if "id" in request else None
    if before is not None:
        before.clear_cache()
        row = attempt(before, request)
        if row:
            return [row]
    for node in find(request):
        row = attempt(node)
        if row and row["box"][2] > 0:
            known[place] = node
            return [row]
    return []


def attempt(node, request=None):
    """What is to be said of it; None = it went away, or is not what is looked for any more."""
    try:
        if request is not None and not (shows(node) and fits(node, request)):
            return None
        row = described(node)
        return row if row["box"] and (request is None or row["box"][2] > 0) else None
    except GONE:
        return None


def act(request):
    """Does what a screen reader's "activate" does."""
    for node in find(request):
        action = node.get_action_iface()
        names = [Atspi.Action.get_action_name(action, index) for index in range(Atspi.Action.get_n_actions(action))]
        for index, name in enumerate(names):
            if name.lower() == request["act"].lower():
                return Atspi.Action.do_action(action, index)
    return False


def listen(event):
    try:
        said = event.any_data if isinstance(event.any_data, str) else ""
        heard.append({"kind": event.type, "said": said, "name": event.source.get_name() or ""})
    except GONE:
        return
    del heard[:-500]


def answer(request):
    if request.get("heard"):
        return list(heard)
    if request.get("forget"):
        heard.clear()
        return []
    return act(request) if "act" in request else look(request)


def serve(_channel, _condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    try:
        said = answer(json.loads(line))
    except GONE:  # the program ended while it was asked
        said = []
    except Exception:
        loop.quit()  # whoever waits for the answer sees the end
        raise
    print(json.dumps(said), flush=True)
    return True


listener = Atspi.EventListener.new(listen)
for kind in ("object:announcement", "window:create", "window:activate"):
    listener.register(kind)
loop = GLib.MainLoop()
GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.IO_IN | GLib.IO_HUP, serve)
loop.run()
