import { describe, expect, it } from 'vitest';
import { inspectSample, sampleModule } from './sample-tree.ts';

/** Every way in which a server takes arguments. Each passes `x` of the tool `t` to a shell. */
const shapes: Readonly<Record<string, string>> = {
  'registerTool with destructuring':
    "server.registerTool('t', { inputSchema: { x: z.string() } }, async ({ x }) => exec(`ls ${x}`));",
  'registerTool with the whole object':
    "server.registerTool('t', { inputSchema: { x: z.string() } }, async (args) => exec('ls ' + args.x));",
  'tool with a description and a schema':
    "server.tool('t', 'lists', { x: z.string() }, async ({ x }) => exec(`ls ${x}`));",
  'tool with annotations':
    "server.tool('t', 'lists', { x: z.string() }, { readOnlyHint: true }, async ({ x }) => exec(`ls ${x}`));",
  'a handler passed by reference':
    "async function handle({ x }) { return exec(`ls ${x}`); }\nserver.tool('t', { x: z.string() }, handle);",
  'a handler wrapped by a helper':
    "const guarded = (fn) => async (args) => { try { return await fn(args); } catch (error) { return { isError: true }; } };\nserver.tool('t', { x: z.string() }, guarded(async ({ x }) => exec(`ls ${x}`)));",
  'a record with execute':
    "server.addTool({ name: 't', parameters: z.object({ x: z.string() }), execute: async ({ x }) => exec(`ls ${x}`) });",
  'a list of tools that is gone through':
    "const tools = [{ name: 't', schema: { x: z.string() }, handler: async ({ x }) => exec(`ls ${x}`) }, { name: 'other', schema: {}, handler: async () => ({}) }];\nfor (const tool of tools) server.tool(tool.name, tool.schema, tool.handler);",
  'a list gone through with forEach':
    "const tools = [{ name: 't', schema: { x: z.string() }, handler: async ({ x }) => exec(`ls ${x}`) }];\ntools.forEach((tool) => server.registerTool(tool.name, { inputSchema: tool.schema }, tool.handler));",
  'a table of tools given to a constructor':
    "new FastServer({ name: 's', tools: { t: { parameters: z.object({ x: z.string() }), execute: async (args) => exec(`ls ${args.x}`) } } });",
  'a switch over the name':
    "const low = new Server({}, {});\nlow.setRequestHandler(CallToolRequestSchema, async (request) => { const { name, arguments: args } = request.params; switch (name) { case 'other': return {}; case 't': { return exec(`ls ${args.x}`); } default: throw new Error('unknown'); } });",
  'comparisons of the name':
    "const low = new Server({}, {});\nlow.setRequestHandler(CallToolRequestSchema, async (request) => { if (request.params.name === 'other') return {}; if (request.params.name === 't') { exec('ls ' + request.params.arguments.x); } });",
  'a method as a text':
    "const low = new Server({}, {});\nlow.setRequestHandler('tools/call', async ({ params }) => { if (params.name === 't') return exec(`ls ${params.arguments?.x}`); });",
  'a table of functions':
    'const handlers = { t: async (args) => exec(`ls ${args.x}`), other: async () => ({}) };\nconst low = new Server({}, {});\nlow.setRequestHandler(CallToolRequestSchema, async (request) => { const handler = handlers[request.params.name]; return handler(request.params.arguments); });',
  'a list searched by name':
    "const tools = [{ name: 'other', handler: async () => ({}) }, { name: 't', handler: async (args) => exec(`ls ${args.x}`) }];\nconst low = new Server({}, {});\nlow.setRequestHandler(CallToolRequestSchema, async (request) => { const tool = tools.find((one) => one.name === request.params.name); if (!tool) throw new Error('unknown'); return tool.handler(request.params.arguments); });",
  'a class with methods':
    "class Shell { constructor() { this.server = new Server({}, {}); this.setup(); } setup() { this.server.setRequestHandler(CallToolRequestSchema, async (request) => { if (request.params.name === 't') return this.list(request.params.arguments); }); } async list(args) { return exec(`ls ${args.x}`); } }\nnew Shell();",
  'a class that nobody makes':
    "export class Shell { constructor() { this.server = new Server({}, {}); } setup() { this.server.setRequestHandler(CallToolRequestSchema, this.handle.bind(this)); } async handle(request) { if (request.params.name === 't') return exec(`ls ${request.params.arguments.x}`); } }",
  'a function that nobody calls':
    "export function register(server) { server.tool('t', { x: z.string() }, async ({ x }) => exec(`ls ${x}`)); }",
  'arguments that go through parse':
    "const schema = z.object({ x: z.string() });\nconst low = new Server({}, {});\nlow.setRequestHandler(CallToolRequestSchema, async (request) => { if (request.params.name === 't') { const parsed = schema.safeParse(request.params.arguments); if (!parsed.success) throw new Error('no'); return exec(`ls ${parsed.data.x}`); } });",
  'a definition of an unknown framework':
    "export const listing = framework({ name: 't', description: 'lists', schema: { x: z.string() }, handler: async (args) => exec(`ls ${args.x}`) });",
  'minified code':
    'const S=new Server({},{});async function h(e){let{x:t}=e;return exec(`ls ${t}`)}S.setRequestHandler(CallToolRequestSchema,async e=>{let{name:t,arguments:r}=e.params;if(t==="t")return await h(r)});',
};

describe('where arguments come in', () => {
  it.each(Object.entries(shapes))('%s', async (_name, body) => {
    const result = await inspectSample(sampleModule(body));
    const finding = result.findings.find((one) => one.rule === 'taint/command-injection');
    expect(finding?.title).toMatch(/^Argument "x" of tool "t" reaches child_process\.exec/);
    expect(finding?.locations.length).toBeGreaterThanOrEqual(2);
    expect(result.handlers.length).toBeGreaterThan(0);
    expect(result.notAnalysed).toEqual([]);
  });

  it('takes the address and the variables of a resource', async () => {
    const result = await inspectSample(
      sampleModule(
        "server.registerResource('file', template, {}, async (uri, { name }) => fs.readFile(path.join('/srv', name)));\nconst low = new Server({}, {});\nlow.setRequestHandler(ReadResourceRequestSchema, async (request) => fs.readFile(request.params.uri.replace('file://', '')));",
      ),
    );
    expect(result.findings.map((finding) => finding.title.split(' reaches')[0]).sort()).toEqual([
      'Argument "name" of tool "file"',
      'Argument "uri" of a tool',
    ]);
    expect(result.handlers.map((handler) => handler.kind)).toEqual(['resource', 'resource']);
  });

  it('names the handlers with their parameters and their place', async () => {
    const result = await inspectSample(
      sampleModule("server.tool('t', { x: z.string(), y: z.number() }, async () => ({}));"),
    );
    expect(result.handlers).toEqual([{ kind: 'tool', name: 't', path: 'index.js', line: 12, parameters: ['x', 'y'] }]);
  });
});

describe('across files', () => {
  const server =
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { z } from 'zod';\nconst server = new McpServer({});\n";
  const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'a named export': {
      'dist/index.js': `${server}import { run } from './run.js';\nserver.tool('t', { x: z.string() }, async ({ x }) => run(x));`,
      'dist/run.js':
        "import { execSync } from 'child_process';\nexport function run(x) { return execSync('ls ' + x); }",
    },
    'exports that are passed on': {
      'dist/index.js': `${server}import * as tools from './all.js';\nserver.tool('t', { x: z.string() }, async ({ x }) => tools.run(x));`,
      'dist/all.js': "export * from './run.js';",
      'dist/run.js': "import { execSync } from 'child_process';\nexport const run = (x) => execSync('ls ' + x);",
    },
    'a default export of a class in TypeScript': {
      'src/index.ts': `${server}import Runner from './runner.js';\nconst runner = new Runner('ls');\nserver.tool('t', { x: z.string() }, async ({ x }: { x: string }) => runner.run(x));`,
      'src/runner.ts':
        "import { execSync } from 'child_process';\nexport default class Runner { constructor(private readonly program: string) {} run(x: string): string { return execSync(`${this.program} ${x}`).toString(); } }",
    },
    CommonJS: {
      'index.js':
        "const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');\nconst { run } = require('./run');\nconst server = new McpServer({});\nserver.tool('t', {}, async (args) => run(args.x));",
      'run.js': "const cp = require('child_process');\nmodule.exports = { run: (x) => cp.execSync('ls ' + x) };",
    },
    'a name of the package for its own files': {
      'package.json': '{"name":"sample","type":"module","imports":{"#run":"./lib/run.js"}}',
      'index.js': `${server}import { run } from '#run';\nserver.tool('t', { x: z.string() }, async ({ x }) => run(x));`,
      'lib/run.js': "import { execSync } from 'child_process';\nexport function run(x) { return execSync('ls ' + x); }",
    },
    'a cycle': {
      'index.js': `${server}import { run } from './run.js';\nexport const shell = 'ls ';\nserver.tool('t', { x: z.string() }, async ({ x }) => run(x));`,
      'run.js':
        "import { execSync } from 'child_process';\nimport { shell } from './index.js';\nexport function run(x) { return execSync(shell + x); }",
    },
  };
  it.each(Object.entries(cases))('%s', async (_name, files) => {
    const { findings } = await inspectSample(files);
    expect(findings.map((finding) => finding.title.split(':')[0])).toEqual([
      'Argument "x" of tool "t" reaches child_process.execSync',
    ]);
    expect(findings[0]?.locations.at(-1)?.path).toMatch(/run/);
  });
});
