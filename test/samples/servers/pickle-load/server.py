# HARMLESS SAMPLE, FOR BOXES ONLY: unpickles an argument. Never start it outside a box. Honest twin: pickle-
# load-twin.
import base64
import pickle

from mcp_loop import Server, serve_stdio

server = Server("board")


@server.tool("Imports a board that was exported, in base64.", data={"type": "string", "maxLength": 10000})
def import_board(data):
    board = pickle.loads(base64.b64decode(str(data)))
    return f"imported {board}"


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
