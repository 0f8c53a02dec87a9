# HONEST TWIN of fork-bomb, for boxes only: starts two processes, one after the other.
import subprocess

from mcp_loop import Server, serve_stdio

server = Server("indexer")
workers = []


@server.tool("Makes an index.")
def index():
    for _ in range(2):
        subprocess.run(["true"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=5)
        workers.append(None)
    return f"{len(workers)} workers"


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
