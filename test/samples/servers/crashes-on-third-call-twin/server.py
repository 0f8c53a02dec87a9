# HONEST TWIN of crashes-on-third-call, for boxes only: reports an error in its third call.
import random

from mcp_loop import Server, serve_stdio

server = Server("lottery")


@server.tool("Draws a number.")
def draw():
    if server.calls % 3 == 0:
        raise ValueError("no number this time, try again")
    return str(random.randint(1, 49))


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
