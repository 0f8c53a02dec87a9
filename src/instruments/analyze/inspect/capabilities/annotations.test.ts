import { describe, expect, it } from 'vitest';
import { type Files, inspectFiles, toldOf } from './inspect-files.ts';

const imports = `import fs from 'node:fs/promises'; import { exec, execFile } from 'node:child_process'; import os from 'node:os'; import path from 'node:path';\n`;
const readOnly = (body: string, more = ''): Files => ({
  'index.js': `${imports}${more}\nserver.registerTool('show', { annotations: { readOnlyHint: true } }, async ({ name }) => { ${body} });`,
});

describe('a tool that says it only reads', () => {
  it.each<[string, Files, readonly string[]]>([
    ['reads', readOnly("return fs.readFile('/srv/' + name);"), []],
    ['writes', readOnly("await fs.writeFile('/srv/' + name, 'x');"), ['read-only-hint-lies medium']],
    ['deletes', readOnly("await fs.rm('/srv/' + name);"), ['read-only-hint-lies high']],
    [
      'writes in an inner function',
      readOnly("[1].forEach(() => fs.writeFile('/srv/a', 'x'));"),
      ['read-only-hint-lies medium'],
    ],
    ['starts what it is told', readOnly('exec(name);'), ['read-only-hint-lies medium']],
    ['starts a shell', readOnly("execFile('bash', ['-c', name]);"), ['read-only-hint-lies medium']],
    ['starts a fixed program', readOnly("execFile('git', ['log']);"), ['read-only-hint-lies low']],
    ['starts a fixed program in a shell', readOnly('exec(`git log ${name}`);'), ['read-only-hint-lies low']],
    ['asks', readOnly("await fetch('https://api.example.com/a');"), []],
    [
      'asks with POST',
      readOnly("await fetch('https://api.example.com/a', { method: 'POST' });"),
      ['read-only-hint-lies low'],
    ],
    [
      'changes with DELETE',
      readOnly("await fetch('https://api.example.com/a', { method: 'DELETE' });"),
      ['read-only-hint-lies medium'],
    ],
    ['writes a scratch file', readOnly("await fs.writeFile(path.join(os.tmpdir(), 'a'), 'x');"), []],
    [
      'deletes its scratch file',
      readOnly('const tmpFile = path.join(os.tmpdir(), name); await fs.unlink(tmpFile);'),
      [],
    ],
    ['keeps a cache', readOnly("await fs.writeFile(path.join(home, '.cache', name), 'x');"), []],
    [
      'writes by a local function',
      readOnly('await save(name);', "const save = async (name) => fs.writeFile('/srv/' + name, 'x');"),
      ['read-only-hint-lies medium'],
    ],
    [
      'has a writer beside it that it does not call',
      readOnly(
        "return fs.readFile('/srv/a');",
        "export const save = async (name) => fs.writeFile('/srv/' + name, 'x');",
      ),
      [],
    ],
  ])('%s', (_, files, expected) => {
    expect(toldOf(files)).toEqual(expected);
  });

  const writer =
    "import fs from 'fs'; export class Store { #root = '/srv/'; save(name) { fs.writeFileSync('/srv/' + name, 'x'); } } export const store = new Store(); export function save(name) { store.save(name); }";
  it.each<[string, Files]>([
    [
      'another file',
      {
        'index.js':
          "import { save } from './store.js'; server.tool('show', 'Shows', {}, { readOnlyHint: true }, async ({ name }) => save(name));",
        'store.js': writer,
      },
    ],
    [
      'an instance of another file',
      {
        'index.js':
          "import { store } from './store.js'; server.tool('show', 'Shows', {}, { readOnlyHint: true }, ({ name }) => store.save(name));",
        'store.js': writer,
      },
    ],
    [
      'a handler by name',
      {
        'index.js':
          "import { Store } from './store.js'; const s = new Store(); function show({ name }) { s.save(name); } server.registerTool('show', { annotations: { readOnlyHint: true } }, show);",
        'store.js': writer,
      },
    ],
    [
      'a wrapped handler',
      {
        'index.js':
          "import { save } from './store.js'; server.registerTool('show', { annotations: { readOnlyHint: true } }, guarded(async ({ name }) => save(name)));",
        'store.js': writer,
      },
    ],
    [
      'shared annotations',
      {
        'index.js':
          "import { save } from './store.js'; const READ = { readOnlyHint: true }; server.registerTool('show', { annotations: READ }, ({ name }) => save(name));",
        'store.js': writer,
      },
    ],
    [
      'a record',
      {
        'index.js':
          "import { save } from './store.js'; server.addTool({ name: 'show', annotations: { readOnlyHint: true }, execute: async ({ name }) => save(name) });",
        'store.js': writer,
      },
    ],
    [
      'a list and a switch',
      {
        'index.js':
          "import { save } from './store.js'; const tools = [{ name: 'show', description: 'Shows', annotations: { readOnlyHint: true } }]; server.setRequestHandler(CallToolRequestSchema, async (request) => { switch (request.params.name) { case 'list': return 1; case 'show': return save('a'); } });",
        'store.js': writer,
      },
    ],
    [
      'a switch over named tools',
      {
        'index.js':
          "import { save } from './store.js'; const SHOW = { name: 'show', description: 'Shows', annotations: { readOnlyHint: true } }; server.setRequestHandler(CallToolRequestSchema, async (request) => { switch (request.params.name) { case SHOW.name: return save('a'); } });",
        'store.js': writer,
      },
    ],
    [
      'minified',
      {
        'index.js':
          'import{writeFileSync as w}from"fs";var a={readOnlyHint:!0};s.registerTool("show",{annotations:a},async e=>{w(e.name,"x")});',
      },
    ],
    [
      'Python, a dictionary',
      {
        'a.py': 'import os\n@mcp.tool(annotations={"readOnlyHint": True})\ndef show(name):\n    os.rename(name, "b")\n',
      },
    ],
    [
      'Python, a class',
      {
        'a.py':
          'import os\nfrom mcp.types import ToolAnnotations\nREAD = ToolAnnotations(readOnlyHint=True)\ndef save(n):\n    open(n, "w")\n@mcp.tool(name="show", annotations=READ)\ndef f(name):\n    save(name)\n',
      },
    ],
    [
      'Python, a list and a dispatcher',
      {
        'a.py':
          'tools = [Tool(name="show", inputSchema={}, annotations=ToolAnnotations(readOnlyHint=True))]\n@server.call_tool()\nasync def call(name, arguments):\n    if name == "list":\n        return 1\n    elif name == "show":\n        open(arguments["p"], "w")\n',
      },
    ],
  ])('is followed through %s', (_, files) => {
    const { findings } = inspectFiles(files);
    expect(findings.map(({ rule }) => rule)).toEqual(['capabilities/read-only-hint-lies']);
    expect(findings[0]?.title).toMatch(/^show: /);
  });

  it('is not blamed for the branches of other tools', () => {
    const code = `${imports}
const tools = [{ name: 'show', annotations: { readOnlyHint: true } }, { name: 'remove', annotations: { destructiveHint: true } }];
async function dispatch(name, p) { if (name === 'show') { return fs.readFile(p); } if (name === 'remove') { return fs.rm(p); } }
server.registerTool('show', { annotations: { readOnlyHint: true } }, ({ p }) => dispatch('show', p));`;
    expect(toldOf({ 'index.js': code })).toEqual([]);
  });

  it('takes annotations from a capture and handlers from another analysis', () => {
    const code = `${imports}\nregister(table,\n  async ({ name }) => fs.writeFile('/srv/' + name, 'x'));`;
    const tools = [{ name: 'show', annotations: { readOnlyHint: true } }];
    const handlers = [{ kind: 'tool', name: 'show', path: 'index.js', line: 4, parameters: ['name'] }] as const;
    expect(toldOf({ 'index.js': code }, { tools, handlers })).toEqual(['read-only-hint-lies medium']);
    expect(toldOf({ 'index.js': code }, { tools })).toEqual([]);
  });

  it('tells one place that several tools lead to once', () => {
    const tool = (name: string) =>
      `server.registerTool('${name}', { annotations: { readOnlyHint: true } }, () => count('${name}'));`;
    const code = `${imports}const count = (name) => fs.writeFile('/srv/count', name);\n${['a', 'b', 'c'].map(tool).join('\n')}`;
    const { findings } = inspectFiles({ 'index.js': code });
    expect(findings.map(({ title }) => title)).toEqual([
      'a and 2 more: says that it only reads, and changes things (writes files)',
    ]);
  });
});

describe('other annotations', () => {
  it.each<[string, string, string, readonly string[]]>([
    [
      'a closed world that fetches',
      '{ openWorldHint: false }',
      "return fetch('https://example.com');",
      ['closed-world-hint-lies low'],
    ],
    ['a closed world that reads', '{ openWorldHint: false }', "return fs.readFile('a');", []],
    ['deleting, said', '{ destructiveHint: true }', "return fs.rm('/srv/a');", []],
    [
      'deleting, not said',
      '{ title: "x", idempotentHint: true }',
      "return fs.rm('/srv/a');",
      ['destruction-not-hinted info'],
    ],
    ['deleting, denied', '{ destructiveHint: false }', "return fs.rm('/srv/a');", ['destruction-not-hinted low']],
    ['no annotations', '{}', "return fs.rm('/srv/a');", []],
  ])('%s', (_, annotations, body, expected) => {
    const code = `${imports}server.registerTool('t', { annotations: ${annotations} }, async () => { ${body} });`;
    expect(toldOf({ 'index.js': code })).toEqual(expected);
  });
});
