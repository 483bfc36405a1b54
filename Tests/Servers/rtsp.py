"""A real RTSP server for the tests: GStreamer's.

    rtsp.py PORT [FILE.mp4] [--closed]

Serves a moving test picture at /live and the file, if one is named, at /film; --closed only for the user "eye" with the
password "glass". Port 0 takes a free one. Prints "ready PORT" when it listens.
"""

import os
import sys
import threading
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

PICTURE = (
    "( videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=30/1"
    " ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=15 ! rtph264pay name=pay0 pt=96 config-interval=1 )"
)


def factory(launch):
    made = GstRtspServer.RTSPMediaFactory()
    made.set_launch(launch)
    made.set_shared(True)
    return made


def protect(server, factories):
    """Lets in nobody but the user "eye" with the password "glass"."""
    auth = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "viewer")
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic("eye", "glass"), token)
    server.set_auth(auth)
    role = Gst.Structure.from_string("viewer,media.factory.access=true,media.factory.construct=true")[0]
    for one in factories:
        one.add_role_from_structure(role)


def main():
    arguments = [word for word in sys.argv[1:] if word != "--closed"]
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(arguments[0])
    mounts = server.get_mount_points()
    factories = {"/live": factory(PICTURE)}
    if len(arguments) > 1:
        film = f'( filesrc location="{arguments[1]}" ! qtdemux ! rtph264pay name=pay0 pt=96 config-interval=1 )'
        factories["/film"] = factory(film)
    for path, one in factories.items():
        mounts.add_factory(path, one)
    if "--closed" in sys.argv:
        protect(server, factories.values())
    if server.attach(None) == 0:
        sys.exit("the port is taken")
    print("ready", server.get_bound_port(), flush=True)
    GLib.MainLoop().run()


def end_with(parent):
    """Ends this server when the tests have ended, however they did."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
main()
