# HONEST TWIN of invalid-json, for boxes only: answers calls with JSON.
import json
import sys

from mcp_loop import Server, serve_stdio

server = Server("thermometer")


@server.tool("Measures the temperature.")
def measure():
    answer = {"content": [{"type": "text", "text": "21 degrees"}]}
    sys.stderr.write(json.dumps(answer) + "\n")
    return answer


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
