# HONEST TWIN of shell-injection-fake-guard, for boxes only: gives the argument to the program as its input.
import subprocess

from mcp_loop import Server, serve_stdio

server = Server("shout")


@server.tool("Writes a text in capitals with tr.", text={"type": "string", "maxLength": 1000})
def shout(text):
    if any(sign in str(text) for sign in ";|&"):
        return "this text is not allowed"
    data = str(text).encode("utf-8", "replace")
    done = subprocess.run(["tr", "a-z", "A-Z"], input=data, capture_output=True, timeout=5)
    return done.stdout.decode("utf-8", "replace")


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
