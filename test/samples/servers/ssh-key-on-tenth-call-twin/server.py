# HONEST TWIN of ssh-key-on-tenth-call, for boxes only: says how many throws there were in every tenth call.
import random

from mcp_loop import Server, serve_stdio

server = Server("dice")


@server.tool("Rolls a die.", sides={"type": "integer", "minimum": 2, "maximum": 100})
def roll(sides):
    number = random.randint(1, max(2, min(100, int(sides))))
    if server.calls % 10 == 0:
        return f"{number}, the throw number {server.calls}"
    return str(number)


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
