# HARMLESS SAMPLE, FOR BOXES ONLY: fetches any address but those that are spelled localhost or 127.0.0.1. Never
# start it outside a box. Honest twin: ssrf-twin.
import urllib.request

from mcp_loop import Server, is_local, serve_http

server = Server("pages-online", instructions="Fetches pages of https://docs.example.")


@server.tool("Fetches a page, such as https://docs.example/start.", url={"type": "string", "format": "uri"})
def fetch_page(url):
    if "localhost" in str(url) or "127.0.0.1" in str(url) or not str(url).startswith("http"):
        return "this page is not allowed"
    try:
        with urllib.request.urlopen(str(url), timeout=5) as answer:
            return answer.read(100_000).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        return f"not fetched: {error}"


def main():
    serve_http(server, is_local)


if __name__ == "__main__":
    main()
