import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspectSample } from '../sample-tree.ts';
import { sampleModule, sampleTool } from './sample-server.ts';

const flow = {
  'good.py':
    'import os\nfrom mcp.server.fastmcp import FastMCP\nmcp = FastMCP("n")\n@mcp.tool()\ndef t(x: str):\n    os.system("ls " + x)\n',
};

describe('what was not looked at is told', () => {
  const broken: Readonly<Record<string, string>> = {
    'no program at all': 'def (:\n',
    'the older language': 'print "hello"\n',
    'a text that does not end': 'x = """abc\n',
    'brackets that are nested too deep': `x = ${'('.repeat(20_000)}${')'.repeat(20_000)}\n`,
    'a character that is none': 'x = 1\0\n',
  };
  it.each(Object.entries(broken))('%s', async (_name, text) => {
    const result = await inspectSample({ ...flow, 'bad.py': `${text}\n# mcp.tool()\n` });
    expect(result.skipped).toEqual([{ path: 'bad.py', reason: 'unparsable' }]);
    expect(result.notAnalysed.map(({ title }) => title)).toEqual(['1 source file was not analysed: unparsable']);
    expect(result.findings).toHaveLength(1);
  });

  it('a file that is too large', async () => {
    const result = await inspectSample({ ...flow, 'big.py': `x = "${'a'.repeat(5000)}"\n` }, { fileBytes: 4000 });
    expect(result.skipped).toEqual([{ path: 'big.py', reason: 'too-large' }]);
  });

  it('a server without a handler', async () => {
    const result = await inspectSample({ 'a.py': 'import os\nos.system("ls")\n' });
    expect(result.notAnalysed.map(({ title }) => title)).toEqual([
      'No handler of a tool, resource or prompt was found: flows were not analysed',
    ]);
  });

  it('a handler of both languages', async () => {
    const javaScript =
      "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { exec } from 'node:child_process';\nconst s = new McpServer({});\ns.tool('u', { y: {} }, async ({ y }) => exec(`ls ${y}`));\n";
    const result = await inspectSample({ ...flow, 'a.js': javaScript });
    expect(result.handlers.map(({ name }) => name).sort()).toEqual(['t', 'u']);
    expect(result.findings).toHaveLength(2);
  });

  it('a tool of a test', async () => {
    const result = await inspectSample({ 'tests/test_server.py': flow['good.py'] });
    expect(result.handlers).toEqual([]);
  });
});

describe('code that is meant to exhaust', () => {
  const bodies: Readonly<Record<string, string>> = {
    'a function that calls itself': 'def f(a):\n    return f(a + x)\nos.system(f(x))',
    'functions that call each other':
      'def f(a):\n    return g(a) + g(a)\ndef g(a):\n    return f(a) + f(a)\nos.system(f(x))',
    'a loop without an end': 'while True:\n    x = x + x\nos.system(x)',
    'loops inside of loops': `${Array.from({ length: 12 }, (_, depth) => `${'    '.repeat(depth)}for a${depth} in x:`).join('\n')}\n${'    '.repeat(12)}os.system(x)`,
    'many choices': `${Array.from({ length: 200 }, (_, at) => `if x == "${at}":\n    y${at} = x`).join('\n')}\nos.system(x)`,
    'a class that is its own parent': 'class A(A):\n    pass\nA(x)',
    'pieces of pieces': `${Array.from({ length: 60 }, () => 'x = x.split("a")[0]').join('\n')}\nos.system(x)`,
  };
  it.each(Object.entries(bodies))('%s', async (_name, body) => {
    const result = await inspectSample(sampleTool(body), { totalMs: 20_000 });
    expect(result.handlers).toHaveLength(1);
  });
});

const lines = [
  'x = x + y',
  'y = x.split(",")[0]',
  'if x in ALLOWED:\n    y = x',
  'for y in x:\n    x = y',
  'os.system(x)',
  'return x',
  'with open(x) as f:\n    y = f.read()',
  'try:\n    x = int(x)\nexcept ValueError as error:\n    raise',
  'y = [a for a in x if a]',
  'y = {k: v for k, v in x.items()}',
  'x = lambda *a, **k: (a, k)',
  'def f(a, /, b=1, *c, d, **e):\n    yield a\n    return e',
  'class C(BaseModel):\n    a: int = 1\n    b: "C"',
  'match x:\n    case {"a": a, **rest}:\n        y = a\n    case [1, *others] if others:\n        pass\n    case C(a=z) | z:\n        pass',
  'x: Optional[str] = None',
  'del x',
  'global y',
  'nonlocal_ = 1',
  'x[0][1:2, ...] = y',
  'x, (y, *z) = y, x',
  'assert (n := x) and n',
  'async with x as (a, b):\n    await a',
  'from . import *',
  'import a.b.c, d as e',
  '@mcp.tool\ndef g(self, *args: str, **kwargs: Any): ...',
  'mcp.tool()(f)',
  'server.request_handlers[CallToolRequest] = f',
  'x = f"{x!r:>{y}}" "%s" % (x, *y)',
  'super().__init__(x, **y)',
  'break',
  'continue',
  'raise',
  'print(*x, sep=y)',
];

describe('any text', () => {
  it('never throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ maxLength: 400 }), fc.string({ unit: 'binary', maxLength: 200 })),
        async (text) => {
          const result = await inspectSample({ 'a.py': `${text}\n# .tool(`, ...flow }, { totalMs: 10_000 });
          expect(result.findings.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('never throws on programs put together by chance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...lines), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (parts, isInside) => {
          const body = parts.join('\n');
          const result = await inspectSample(isInside ? sampleTool(body) : sampleModule(body), { totalMs: 10_000 });
          expect(result.analysed.length + result.skipped.length).toBe(1);
        },
      ),
      { numRuns: 400 },
    );
  });
});
