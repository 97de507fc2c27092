"""Services of a desktop on a real bus, in a process of their own: the system's Python runs this, with GLib's D-Bus.

    desktop_service.py ADDRESS KIND [HOW]

KIND: portal, notifications, org.freedesktop.ScreenSaver, org.gnome.ScreenSaver, login1 or stranger.
Prints "ready", then a line for what is asked of it; does what each line of its standard input says, and says "done".
"""

import json
import sys

from gi.repository import Gio, GLib

ADDRESS, KIND = sys.argv[1:3]
HOW = sys.argv[3] if len(sys.argv) > 3 else ""
PORTAL_PATH = "/org/freedesktop/portal/desktop"
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
PORTAL_XML = f"""<node><interface name="{SHORTCUTS}">
<method name="CreateSession"><arg type="a{{sv}}" direction="in"/><arg type="o" direction="out"/></method>
<method name="BindShortcuts"><arg type="o" direction="in"/><arg type="a(sa{{sv}})" direction="in"/>
<arg type="s" direction="in"/><arg type="a{{sv}}" direction="in"/><arg type="o" direction="out"/></method>
</interface></node>"""
SAVER_XML = f"""<node><interface name="{KIND}"><method name="GetActive"><arg type="b" direction="out"/></method>
<signal name="ActiveChanged"><arg type="b"/></signal></interface></node>"""
MANAGER_XML = """<node><interface name="org.freedesktop.login1.Manager"><method name="GetSession">
<arg type="s" direction="in"/><arg type="o" direction="out"/></method></interface></node>"""
SESSION_XML = """<node><interface name="org.freedesktop.login1.Session">
<property name="LockedHint" type="b" access="read"/></interface></node>"""

NOTICES = "org.freedesktop.Notifications"
NOTICES_XML = f"""<node><interface name="{NOTICES}"><method name="Notify"><arg type="s" direction="in"/>
<arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="as" direction="in"/><arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/>
<arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method></interface></node>"""

loop = GLib.MainLoop()
flags = Gio.DBusConnectionFlags
bus = Gio.DBusConnection.new_for_address_sync(
    ADDRESS, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None
)


def say(**told):
    print(json.dumps(told), flush=True)


def own(name):
    answer = bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        GLib.Variant("(su)", (name, 4)), None, 0, -1, None,
    )  # fmt: skip
    assert answer.unpack() == (1,)


def serve(xml, path, called, got=None):
    bus.register_object(path, Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], called, got, None)


class Portal:
    """As the documents of org.freedesktop.portal.GlobalShortcuts have it: each answer is a signal of a request."""

    def __init__(self):
        self.session = self.client = ""
        serve(PORTAL_XML, PORTAL_PATH, self.called)
        own("org.freedesktop.portal.Desktop")

    def called(self, _bus, sender, _path, _interface, method, values, invocation):
        self.client = sender
        given = values.unpack()
        say(method=method, given=given)
        options = given[-1]
        at = sender[1:].replace(".", "_")
        request = f"{PORTAL_PATH}/request/{at}/{options['handle_token']}"
        if HOW in (f"error in {method}", "error"):
            invocation.return_dbus_error("org.freedesktop.portal.Error.Failed", "not today")
            return
        if f"dies in {method}" == HOW:
            loop.quit()
            return
        if f"no reply to {method}" == HOW:
            return
        invocation.return_value(GLib.Variant("(o)", (request,)))
        if f"no response to {method}" == HOW:
            return
        code, results = 0, {}
        if method == "CreateSession":
            self.session = f"{PORTAL_PATH}/session/{at}/{options['session_handle_token']}"
            results = {"session_handle": GLib.Variant("s", self.session)}
        else:
            words = "x" * 100_000 if HOW == "too large" else "Press <b>Ctrl+Alt</b>\nSpace"
            bound = [(given[1][0][0], {"trigger_description": GLib.Variant("s", words)})]
            results = {"shortcuts": GLib.Variant("a(sa{sv})", bound)}
        if f"declined in {method}" == HOW:
            code, results = 1, {}
        if HOW == "another form":
            results = {name: GLib.Variant("u", 7) for name in results}
        self.signal(request, "org.freedesktop.portal.Request", "Response", GLib.Variant("(ua{sv})", (code, results)))

    def signal(self, path, interface, name, values):
        bus.emit_signal(self.client, path, interface, name, values)

    def activated(self, session, shortcut="show-waiting-call"):
        self.signal(PORTAL_PATH, SHORTCUTS, "Activated", GLib.Variant("(osta{sv})", (session, shortcut, 5, {})))

    def do(self, word):
        if word == "press":
            self.activated(self.session)
        elif word == "press another":
            self.activated(self.session, "another-shortcut")
            self.activated(f"{PORTAL_PATH}/session/1_99/else")
            self.signal(PORTAL_PATH, SHORTCUTS, "Activated", GLib.Variant("(s)", ("show-waiting-call",)))
        elif word == "close":
            self.signal(self.session, "org.freedesktop.portal.Session", "Closed", GLib.Variant("(a{sv})", ({},)))


class Stranger:
    """Another program of the person, which sends what only the desktop should."""

    def do(self, line):
        word, client, *more = line.split()
        if word == "press":
            values = GLib.Variant("(osta{sv})", (more[0], "show-waiting-call", 5, {}))
            bus.emit_signal(client, PORTAL_PATH, SHORTCUTS, "Activated", values)
        else:
            for _ in range(int(more[0])):
                bus.emit_signal(client, "/x", "org.freedesktop.ScreenSaver", "ActiveChanged", GLib.Variant("(b)", (1,)))
        bus.flush_sync(None)


class Saver:
    def __init__(self):
        self.active = HOW == "active"
        serve(SAVER_XML, "/" + KIND.replace(".", "/"), self.called)
        own(KIND)

    def called(self, _bus, _sender, _path, _interface, method, _values, invocation):
        say(method=method)
        if HOW == "error":
            invocation.return_dbus_error("org.freedesktop.DBus.Error.NotSupported", "only inhibits")
        elif HOW != "no reply":
            invocation.return_value(GLib.Variant("(b)", (self.active,)))

    def do(self, word):
        self.active = word == "lock"
        bus.emit_signal(None, "/Saver", KIND, "ActiveChanged", GLib.Variant("(b)", (self.active,)))


class Logind:
    PATH = "/org/freedesktop/login1/session/_35"

    def __init__(self):
        self.locked = False
        serve(MANAGER_XML, "/org/freedesktop/login1", self.called)
        serve(SESSION_XML, self.PATH, None, lambda *_: GLib.Variant("b", self.locked))
        own("org.freedesktop.login1")

    def called(self, _bus, _sender, _path, _interface, method, values, invocation):
        say(method=method, given=values.unpack())
        invocation.return_value(GLib.Variant("(o)", (self.PATH,)))

    def do(self, word):
        self.locked = word == "lock"
        changed = {"LockedHint": GLib.Variant("b", self.locked)}
        values = ("org.freedesktop.login1.Session", changed, [])
        bus.emit_signal(
            None, self.PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", GLib.Variant("(sa{sv}as)", values)
        )


class Notifications:
    """Shows notifications to nobody, numbered from 1."""

    def __init__(self):
        self.count = 0
        serve(NOTICES_XML, "/org/freedesktop/Notifications", self.called)
        own(NOTICES)

    def called(self, _bus, _sender, _path, _interface, method, values, invocation):
        say(method=method, given=values.unpack())
        if method == "CloseNotification":
            invocation.return_value(None)
            return
        replaced = values.unpack()[1]
        self.count += not replaced
        invocation.return_value(GLib.Variant("(u)", (replaced or self.count,)))

    def do(self, line):
        name, number, *action = line.split()
        values = GLib.Variant("(us)", (int(number), *action)) if action else GLib.Variant("(uu)", (int(number), 2))
        bus.emit_signal(None, "/org/freedesktop/Notifications", NOTICES, name, values)


KINDS = {"notifications": Notifications, "portal": Portal, "stranger": Stranger, "login1": Logind}
service = KINDS.get(KIND, Saver)()


def read(_channel, _condition):
    line = sys.stdin.readline()
    if not line or line.strip() == "end":
        loop.quit()
        return False
    service.do(line.strip())
    bus.flush_sync(None)
    say(done=line.strip())
    return True


GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, read)
say(ready=KIND)
loop.run()
