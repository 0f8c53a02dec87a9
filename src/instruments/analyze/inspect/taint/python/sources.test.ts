import { describe, expect, it } from 'vitest';
import { inspectSample } from '../sample-tree.ts';
import { sampleModule } from './sample-server.ts';

/** Every way in which a server takes arguments. Each passes `x` of the tool `t` to a shell. */
const shapes: Readonly<Record<string, string>> = {
  'a decorator that is called': '@mcp.tool()\ndef t(x: str):\n    os.system("ls " + x)',
  'a bare decorator': '@mcp.tool\nasync def t(x: str):\n    os.system(f"ls {x}")',
  'a name as a keyword': '@mcp.tool(name="t", description="lists")\ndef listing(x: str):\n    os.system("ls %s" % x)',
  'a name as the first argument': '@mcp.tool("t")\ndef listing(x: str):\n    os.system("ls {}".format(x))',
  'what it is for as the first argument': '@mcp.tool("Lists a folder.")\ndef t(x: str):\n    os.system("ls " + x)',
  'a context beside it': '@mcp.tool()\nasync def t(ctx: Context, x: str, y: int = 3):\n    os.system(f"ls {x} {y}")',
  'another decorator below':
    'def logged(fn):\n    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n    return inner\n\n@mcp.tool()\n@logged\ndef t(x: str):\n    os.system("ls " + x)',
  'a call that adds it': 'def t(x: str):\n    os.system("ls " + x)\n\nmcp.add_tool(t)',
  'a decorator called as a function': 'def listing(x: str):\n    os.system("ls " + x)\n\nmcp.tool(name="t")(listing)',
  'a method given by a class':
    'class Notes:\n    def __init__(self):\n        self.mcp = FastMCP("n")\n        self.mcp.tool()(self.t)\n    def t(self, x: str):\n        return self.run(x)\n    def run(self, x):\n        os.system("ls " + x)\n\nNotes()',
  'a class that nobody makes':
    'class Notes:\n    def __init__(self, root):\n        self.mcp = FastMCP("n")\n        self.setup()\n    def setup(self):\n        @self.mcp.tool()\n        def t(x: str):\n            os.system("ls " + x)',
  'a function that nobody calls':
    'def register(app):\n    @app.tool()\n    def t(x: str):\n        os.system("ls " + x)',
  'a handler of every tool':
    '@server.call_tool()\nasync def handle(name: str, arguments: dict) -> list:\n    if name == "other":\n        return []\n    elif name == "t":\n        os.system("ls " + arguments["x"])',
  'arguments that are asked for':
    '@server.call_tool()\nasync def handle(name, arguments):\n    if name == "t":\n        x = arguments.get("x", "")\n        os.system("ls " + x)',
  'arguments that may be missing':
    '@server.call_tool()\nasync def handle(name, arguments):\n    args = arguments or {}\n    if name != "t":\n        raise ValueError(name)\n    os.system("ls " + args.get("x"))',
  'a match over the name':
    '@server.call_tool()\nasync def handle(name, arguments):\n    match name:\n        case "other":\n            return []\n        case "t":\n            os.system("ls " + arguments["x"])\n        case _:\n            raise ValueError(name)',
  'names of an enumeration':
    'class Tools(str, Enum):\n    T = "t"\n\n@server.call_tool()\nasync def handle(name, arguments):\n    match name:\n        case Tools.T:\n            os.system("ls " + arguments["x"])',
  'a model made of the arguments':
    'class Input(BaseModel):\n    x: str\n    n: int = 1\n\n@server.call_tool()\nasync def handle(name, arguments):\n    if name == "t":\n        given = Input(**arguments)\n        os.system(f"ls {given.n} {given.x}")',
  'a model that validates':
    'class Input(BaseModel):\n    x: str\n\n@server.call_tool()\nasync def handle(name, arguments):\n    if name == "t":\n        given = Input.model_validate(arguments)\n        os.system("ls " + given.x)',
  'a table of functions':
    'def listing(arguments):\n    os.system("ls " + arguments["x"])\n\nHANDLERS = {"t": listing, "other": lambda arguments: None}\n\n@server.call_tool()\nasync def handle(name, arguments):\n    return HANDLERS[name](arguments)',
  'keywords passed on':
    'def listing(*, x, y=None):\n    os.system("ls " + x)\n\n@server.call_tool()\nasync def handle(name, arguments):\n    if name == "t":\n        return listing(**arguments)',
  'work in another thread':
    '@mcp.tool()\nasync def t(x: str):\n    def work(y):\n        os.system("ls " + y)\n    await asyncio.to_thread(work, x)',
  'a function that is wrapped':
    'import functools\ndef logged(fn):\n    @functools.wraps(fn)\n    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n    return inner\n\ndef t(x: str):\n    os.system("ls " + x)\n\nmcp.add_tool(logged(t))',
  'a decorator of its own':
    'class Registry:\n    def __init__(self, app):\n        self.app = app\n    def reader(self, title):\n        def decorate(fn):\n            self.app.tool(title=title)(fn)\n            return fn\n        return decorate\n\nregistry = Registry(mcp)\n\n@registry.reader("Lists")\ndef t(x: str):\n    os.system("ls " + x)',
  'a server made with its handlers':
    'async def call(ctx, params):\n    if params.name == "t":\n        os.system("ls " + params.arguments["x"])\n\napp = Server("n", on_call_tool=call)',
  'a table of requests':
    'async def call(request):\n    if request.params.name == "t":\n        os.system("ls " + request.params.arguments["x"])\n\nserver.request_handlers[CallToolRequest] = call',
  'a comprehension':
    '@mcp.tool()\ndef t(x: str):\n    command = " ".join([part for part in ["ls", x]])\n    os.system(command)',
  'a nested handler in main':
    'async def main():\n    app = Server("n")\n    @app.call_tool()\n    async def handle(name, arguments):\n        if name == "t":\n            os.system("ls " + arguments["x"])\n\nif __name__ == "__main__":\n    asyncio.run(main())',
};

describe('where arguments come in', () => {
  it.each(Object.entries(shapes))('%s', async (_name, body) => {
    const result = await inspectSample(sampleModule(body));
    const finding = result.findings.find((one) => one.rule === 'taint/command-injection');
    expect(finding?.title).toMatch(/^Argument "x" of tool "t" reaches os\.system/);
    expect(result.handlers.length).toBeGreaterThan(0);
    expect(result.notAnalysed).toEqual([]);
  });

  it('takes the fields of a model that is the one parameter', async () => {
    const body =
      'class Input(BaseModel):\n    x: str\n\n@mcp.tool()\ndef t(given: Input):\n    os.system("ls " + given.x)';
    const result = await inspectSample(sampleModule(body));
    expect(result.findings.map((finding) => finding.title.split(' reaches')[0])).toEqual([
      'Argument "given.x" of tool "t"',
    ]);
  });

  it('takes the variables of a resource and the address that is read', async () => {
    const body =
      '@mcp.resource("notes://{name}")\ndef note(name: str):\n    return open(f"/srv/{name}").read()\n\n@server.read_resource()\nasync def read(uri):\n    return open(str(uri).replace("file://", "")).read()';
    const result = await inspectSample(sampleModule(body));
    expect(result.findings.map((finding) => finding.title.split(' reaches')[0]).sort()).toEqual([
      'Argument "name" of tool "note"',
      'Argument "uri" of a tool',
    ]);
    expect(result.handlers.map((handler) => handler.kind)).toEqual(['resource', 'resource']);
  });

  it('does not take the context of the server for an argument', async () => {
    const result = await inspectSample(
      sampleModule('@mcp.tool()\ndef t(given: Context, more: "Context[int, str]", x: str): pass'),
    );
    expect(result.handlers.map(({ parameters }) => parameters)).toEqual([['x']]);
  });

  it('names the handlers with their parameters and their place', async () => {
    const result = await inspectSample({
      'a.py':
        'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("é")\n\n@mcp.tool()\ndef t(x: str, y: int = 3): pass\n',
    });
    expect(result.handlers).toEqual([{ kind: 'tool', name: 't', path: 'a.py', line: 5, parameters: ['x', 'y'] }]);
  });

  it('reads the list of tools for their names', async () => {
    const body =
      '@server.list_tools()\nasync def tools():\n    return [Tool(name="t", description="Runs a command", inputSchema={"type": "object", "properties": {"command": {"type": "string"}}})]\n\n@server.call_tool()\nasync def handle(name, arguments):\n    if name == "t":\n        os.system(arguments["command"])';
    const result = await inspectSample(sampleModule(body));
    expect(result.handlers.map(({ name, parameters }) => [name, parameters])).toEqual([['t', ['command']]]);
    expect(result.findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['taint/command-execution', 'medium'],
    ]);
  });
});

describe('across files', () => {
  const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'a function of another module': {
      'pkg/__init__.py': '',
      'pkg/server.py':
        'from mcp.server.fastmcp import FastMCP\nfrom .work import run\nmcp = FastMCP("n")\n@mcp.tool()\ndef t(x: str):\n    run(x)\n',
      'pkg/work.py': 'import os\ndef run(x):\n    os.system("ls " + x)\n',
    },
    'a module that registers': {
      'src/pkg/__init__.py': '',
      'src/pkg/main.py':
        'from mcp.server.fastmcp import FastMCP\nfrom pkg.tools import register\nmcp = FastMCP("n")\nregister(mcp)\n',
      'src/pkg/tools/__init__.py': 'from .notes import *\n',
      'src/pkg/tools/notes.py':
        'import os\ndef register(app):\n    @app.tool()\n    def t(x: str):\n        os.system("ls " + x)\n',
    },
    'a server of another module': {
      'pkg/app.py': 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("n")\n',
      'pkg/tools.py': 'import pkg.shell\nfrom pkg.app import mcp\n@mcp.tool()\ndef t(x: str):\n    pkg.shell.run(x)\n',
      'pkg/shell.py': 'from os import system as run_it\ndef run(x):\n    run_it("ls " + x)\n',
      'pkg/__init__.py': '',
    },
    'modules that import each other': {
      'a.py':
        'from mcp.server.fastmcp import FastMCP\nimport b\nmcp = FastMCP("n")\n@mcp.tool()\ndef t(x: str):\n    b.run(x)\n',
      'b.py': 'import a, os\ndef run(x):\n    os.system("ls " + x)\n',
    },
  };
  it.each(Object.entries(cases))('%s', async (_name, files) => {
    const result = await inspectSample(files);
    expect(result.findings.map((finding) => finding.title.split(':')[0])).toEqual([
      'Argument "x" of tool "t" reaches os.system',
    ]);
  });
});
