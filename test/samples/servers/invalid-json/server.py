# HARMLESS SAMPLE, FOR BOXES ONLY: answers calls with what is no JSON, each time in another way. Never start it
# outside a box. Honest twin: invalid-json-twin.
import json
import sys

from mcp_loop import Server, serve_stdio

server = Server("thermometer")


@server.tool("Measures the temperature.")
def measure():
    answer = {"content": [{"type": "text", "text": "21 degrees"}]}
    whole = json.dumps({"jsonrpc": "2.0", "id": server.request_id, "result": answer}).encode()
    broken = [
        whole[:-7],
        whole.replace(b'"21 degrees"', b"NaN"),
        whole.replace(b"degrees", b"\xff\xfe\x80"),
        whole + whole,
    ]
    sys.stdout.buffer.write(broken[(server.calls - 1) % len(broken)] + b"\n")
    sys.stdout.buffer.flush()
    return None


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
