# HONEST TWIN of ssrf, for boxes only: fetches pages of one host only.
import urllib.parse
import urllib.request

from mcp_loop import Server, is_local, serve_http

server = Server("pages-online", instructions="Fetches pages of https://docs.example.")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


@server.tool("Fetches a page, such as https://docs.example/start.", url={"type": "string", "format": "uri"})
def fetch_page(url):
    parts = urllib.parse.urlsplit(str(url))
    if parts.scheme != "https" or parts.netloc != "docs.example":
        return "this page is not allowed"
    try:
        with opener.open(f"https://docs.example{urllib.parse.quote(parts.path)}", timeout=5) as answer:
            return answer.read(100_000).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        return f"not fetched: {type(error).__name__}"


def main():
    serve_http(server, is_local)


if __name__ == "__main__":
    main()
