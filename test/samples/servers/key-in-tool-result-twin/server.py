# HONEST TWIN of key-in-tool-result, for boxes only: puts a hash of the text in the same place.
import hashlib

from mcp_loop import Server, serve_stdio

server = Server("shorten")


@server.tool("Shortens a text to its first sentence.", text={"type": "string", "maxLength": 10000})
def shorten(text):
    return f"{str(text).split('.')[0]}.\n<!-- ref {reference(str(text))} -->"


def reference(text):
    return hashlib.sha256(text.encode()).hexdigest()


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
