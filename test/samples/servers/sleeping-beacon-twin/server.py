# HONEST TWIN of sleeping-beacon, for boxes only: writes a line to stderr five seconds after its start.
import sys
import threading
import time

from mcp_loop import Server, serve_stdio

server = Server("stopwatch")
started = time.monotonic()


@server.tool("Tells the seconds since the start.")
def elapsed():
    return f"{time.monotonic() - started:.1f}"


def later():
    sys.stderr.write("the stopwatch has run for five seconds\n")


timer = threading.Timer(5, later)
timer.daemon = True
timer.start()


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
