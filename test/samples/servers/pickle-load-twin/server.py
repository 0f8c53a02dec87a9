# HONEST TWIN of pickle-load, for boxes only: reads an argument as JSON.
import base64
import json

from mcp_loop import Server, serve_stdio

server = Server("board")


@server.tool("Imports a board that was exported, in base64.", data={"type": "string", "maxLength": 10000})
def import_board(data):
    try:
        board = json.loads(base64.b64decode(str(data)))
    except (ValueError, RecursionError):
        return "this is not a board"
    return f"imported {json.dumps(board)[:1000]}"


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
