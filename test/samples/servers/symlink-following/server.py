# HARMLESS SAMPLE, FOR BOXES ONLY: follows a link in its folder to wherever it leads. Never start it outside a
# box. Honest twin: symlink-following-twin.
import os
import tempfile

from mcp_loop import Server, serve_stdio

server = Server("files")
place = os.path.realpath(tempfile.mkdtemp(prefix="files-"))
root = os.path.join(place, "root")
outside = os.path.join(place, "outside")
os.mkdir(root)
os.mkdir(outside)
with open(os.path.join(root, "hello.txt"), "w") as file:
    file.write("hello\n")
with open(os.path.join(outside, "private.txt"), "w") as file:
    file.write("-".join(["sample", "marker", "private"]) + "\n")
os.symlink(outside, os.path.join(root, "shared"))


@server.tool("Reads a file, such as hello.txt.", path={"type": "string", "maxLength": 500})
def read_file(path):
    full = os.path.abspath(os.path.join(root, str(path)))
    if os.path.commonpath([root, full]) != root or not os.path.isfile(full):
        return "there is no such file"
    with open(full, encoding="utf-8", errors="replace") as file:
        return file.read(100_000)


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
