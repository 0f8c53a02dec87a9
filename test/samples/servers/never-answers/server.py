# HARMLESS SAMPLE, FOR BOXES ONLY: reads everything and answers nothing, not even initialize. Never start it
# outside a box. Honest twin: never-answers-twin.
from mcp_loop import Server, serve_stdio

server = Server("silent")


@server.tool("Repeats a text.", text={"type": "string", "maxLength": 1000})
def repeat(text):
    return str(text)[:1000]


server.answer = lambda message: None


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
