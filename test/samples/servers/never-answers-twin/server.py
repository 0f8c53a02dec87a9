# HONEST TWIN of never-answers, for boxes only: answers.
from mcp_loop import Server, serve_stdio

server = Server("silent")


@server.tool("Repeats a text.", text={"type": "string", "maxLength": 1000})
def repeat(text):
    return str(text)[:1000]


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
