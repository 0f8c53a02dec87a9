# HONEST TWIN of ssh-key-by-dns, for boxes only: asks for the name of the mirror and for no other.
import socket

from mcp_loop import Server, serve_stdio

server = Server("mirrors")
REGIONS = ["eu", "us", "asia"]


@server.tool("Finds the mirror of a region under mirror.example.", region={"type": "string", "enum": REGIONS})
def find_mirror(region):
    if region not in REGIONS:
        return "no such region"
    try:
        answers = socket.getaddrinfo(f"{region}.mirror.example", 443, type=socket.SOCK_STREAM)
    except OSError:
        return "no mirror"
    return "\n".join(sorted({answer[4][0] for answer in answers}))


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
