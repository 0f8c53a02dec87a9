# HARMLESS SAMPLE, FOR BOXES ONLY: evaluates an argument as Python with builtins taken away. Never start it
# outside a box. Honest twin: eval-python-fake-guard-twin.
from mcp_loop import Server, serve_stdio

server = Server("arithmetic")


@server.tool("Calculates an expression, such as 2 * (3 + 4).", expression={"type": "string", "maxLength": 200})
def calculate(expression):
    return str(eval(str(expression)[:200], {"__builtins__": {}}))


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
