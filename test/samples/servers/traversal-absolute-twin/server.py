# HONEST TWIN of traversal-absolute, for boxes only: checks where the path really leads.
import os
import tempfile

from mcp_loop import Server, serve_stdio

server = Server("logs")
root = os.path.realpath(tempfile.mkdtemp(prefix="logs-"))
with open(os.path.join(root, "today.log"), "w") as file:
    file.write("all is well\n")


@server.tool("Reads a log, such as today.log.", name={"type": "string", "maxLength": 500})
def read_log(name):
    path = os.path.realpath(os.path.join(root, str(name)))
    if os.path.commonpath([root, path]) != root or not os.path.isfile(path):
        return "this is not a log"
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(100_000)


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
