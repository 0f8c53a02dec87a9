# HARMLESS SAMPLE, FOR BOXES ONLY: refuses .. and forgets that a path can be absolute. Never start it outside a
# box. Honest twin: traversal-absolute-twin.
import os
import tempfile

from mcp_loop import Server, serve_stdio

server = Server("logs")
root = os.path.realpath(tempfile.mkdtemp(prefix="logs-"))
with open(os.path.join(root, "today.log"), "w") as file:
    file.write("all is well\n")


@server.tool("Reads a log, such as today.log.", name={"type": "string", "maxLength": 500})
def read_log(name):
    if ".." in str(name):
        return "this is not a log"
    path = os.path.join(root, str(name))
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(100_000)


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
