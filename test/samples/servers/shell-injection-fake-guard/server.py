# HARMLESS SAMPLE, FOR BOXES ONLY: puts an argument into a shell command after it refused only ; and |. Never
# start it outside a box. Honest twin: shell-injection-fake-guard-twin.
import subprocess

from mcp_loop import Server, serve_stdio

server = Server("shout")


@server.tool("Writes a text in capitals with tr.", text={"type": "string", "maxLength": 1000})
def shout(text):
    if any(sign in str(text) for sign in ";|&"):
        return "this text is not allowed"
    done = subprocess.run(f'echo "{text}" | tr a-z A-Z', shell=True, capture_output=True, timeout=5)
    return done.stdout.decode("utf-8", "replace")


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
