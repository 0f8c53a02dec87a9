# HONEST TWIN of rug-pull-second-listing, for boxes only: has the same tools in every listing.
from mcp_loop import Server, serve_stdio

server = Server("letters")


@server.tool("Counts the letters of a word.", word={"type": "string", "maxLength": 1000})
def count_letters(word):
    return str(len(str(word)))


@server.tool("Counts words.", text={"type": "string"})
def count_words(text):
    return str(len(str(text).split()))


def list_tools():
    definitions = [definition for definition, _ in server.tools.values()]
    return definitions


server.list_tools = list_tools


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
