"""Part of the sample servers, which are run in boxes only: the least of MCP that a client needs, over stdio and HTTP.

Every sample has its own copy, so that its folder is whole.
"""

import json
import os
import re
import signal
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONGEST_BODY = 4 * 1024 * 1024
# No sample outlives this, wherever somebody started it.
LIFETIME_SECONDS = 15 * 60


class Server:
    def __init__(self, name, version="1.0.0", instructions=None):
        self.about = {"name": name, "version": version}
        self.instructions = instructions
        self.tools = {}
        self.resources = {}
        self.calls = 0
        self.listings = 0
        self.client = ""
        # Id of the call in hand, for a tool that writes its answer itself.
        self.request_id = None
        self.on_initialize = lambda client: None

    def tool(self, description, **properties):
        """A tool by its function: it answers with text, with a result, or with None, which is no answer."""

        def register(function):
            schema = {"type": "object", "properties": properties, "required": list(properties)}
            definition = {"name": function.__name__, "description": description, "inputSchema": schema}
            self.tools[function.__name__] = (definition, function)
            return function

        return register

    def resource(self, uri, name):
        def register(function):
            self.resources[uri] = ({"uri": uri, "name": name, "mimeType": "text/plain"}, function)
            return function

        return register

    def list_tools(self):
        return [definition for definition, _ in self.tools.values()]

    def answer(self, message):
        """None when there is nothing to say."""
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return problem(message.get("id") if isinstance(message, dict) else None, -32600, "not a request")
        if "id" not in message:
            return None
        respond = METHODS.get(message["method"])
        if respond is None:
            return problem(message["id"], -32601, "no such method")
        self.request_id = message["id"]
        try:
            result = respond(self, message.get("params") or {})
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            return problem(message["id"], -32602, f"{type(error).__name__}")
        return None if result is None else {"jsonrpc": "2.0", "id": message["id"], "result": result}


def problem(request_id, code, text):
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": text}}


def initialize(server, params):
    server.client = str((params.get("clientInfo") or {}).get("name", ""))
    server.on_initialize(server.client)
    capabilities = {"tools": {}, **({"resources": {}} if server.resources else {})}
    result = {
        "protocolVersion": params.get("protocolVersion", "2025-06-18"),
        "capabilities": capabilities,
        "serverInfo": server.about,
    }
    return result if server.instructions is None else {**result, "instructions": server.instructions}


def list_tools(server, _params):
    server.listings += 1
    return {"tools": server.list_tools()}


def call_tool(server, params):
    _, function = server.tools[params["name"]]
    server.calls += 1
    try:
        result = function(**(params.get("arguments") or {}))
    except Exception as error:
        return {"isError": True, "content": [{"type": "text", "text": f"{type(error).__name__}: {error}"}]}
    return {"content": [{"type": "text", "text": result}]} if isinstance(result, str) else result


def list_resources(server, _params):
    return {"resources": [definition for definition, _ in server.resources.values()]}


def read_resource(server, params):
    definition, function = server.resources[params["uri"]]
    return {"contents": [{"uri": definition["uri"], "mimeType": definition["mimeType"], "text": function()}]}


METHODS = {
    "ping": lambda server, params: {},
    "initialize": initialize,
    "tools/list": list_tools,
    "tools/call": call_tool,
    "resources/list": list_resources,
    "resources/read": read_resource,
    "prompts/list": lambda server, params: {"prompts": []},
}


def parse(data):
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def serve_stdio(server):
    signal.alarm(LIFETIME_SECONDS)
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        answer = server.answer(parse(line))
        if answer is not None:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    # Threads that still wait are not waited for.
    os._exit(0)


LOCAL_NAME = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")


def is_local(headers):
    """Whether a request was meant for this machine.

    A page of somebody else has another origin, a rebound name has another host.
    """
    origin = headers.get("Origin")
    is_host = LOCAL_NAME.fullmatch(headers.get("Host", "")) is not None
    return is_host and (origin is None or LOCAL_NAME.fullmatch(re.sub(r"^https?://", "", origin)) is not None)


def serve_http(server, accepts):
    signal.alarm(LIFETIME_SECONDS)
    sessions = set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def reply(self, status, body=None, session=None):
            data = b"" if body is None else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if session is not None:
                self.send_header("Mcp-Session-Id", session)
            self.end_headers()
            self.wfile.write(data)

        def is_welcome(self):
            if not accepts(self.headers):
                self.close_connection = True
                self.reply(403, problem(None, -32000, "not from here"))
                return False
            if self.path != "/mcp":
                self.close_connection = True
                self.reply(404)
                return False
            return True

        def do_GET(self):
            if self.is_welcome():
                self.reply(405)

        def do_DELETE(self):
            if not self.is_welcome():
                return
            session = self.headers.get("Mcp-Session-Id")
            self.reply(204 if session in sessions else 404)
            sessions.discard(session)

        def do_POST(self):
            if not self.is_welcome():
                return
            size = self.headers.get("Content-Length", "")
            if not re.fullmatch(r"\d{1,9}", size) or int(size) > LONGEST_BODY:
                self.close_connection = True
                self.reply(413)
                return
            message = parse(self.rfile.read(int(size)))
            is_first = isinstance(message, dict) and message.get("method") == "initialize"
            if not is_first and self.headers.get("Mcp-Session-Id") not in sessions:
                self.reply(404, problem(None, -32001, "no such session"))
                return
            answer = server.answer(message)
            if answer is None:
                self.reply(202)
            elif is_first:
                session = str(uuid.uuid4())
                sessions.add(session)
                self.reply(200, answer, session)
            else:
                self.reply(200, answer)

        def log_message(self, *_):
            pass

    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8931")))
    http = ThreadingHTTPServer(address, Handler)
    sys.stderr.write(f"listening on http://{address[0]}:{http.server_address[1]}/mcp\n")
    sys.stderr.flush()
    http.serve_forever()
