# HARMLESS SAMPLE, FOR BOXES ONLY: ends with an error in its third call. Never start it outside a box. Honest
# twin: crashes-on-third-call-twin.
import os
import random
import sys

from mcp_loop import Server, serve_stdio

server = Server("lottery")


@server.tool("Draws a number.")
def draw():
    if server.calls % 3 == 0:
        sys.stderr.write("sample-marker: crash in the third call\n")
        sys.stderr.flush()
        os._exit(70)
    return str(random.randint(1, 49))


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
