import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../../base/finding-schema.ts';
import { stablePath } from './report.ts';
import { inspectSample, sampleModule, sampleTool } from './sample-tree.ts';

describe('a finding', () => {
  it('shows the way step by step, with the code at both ends', async () => {
    const { findings } = await inspectSample(
      sampleTool(
        'return run(x);',
        'function run(folder) {\n  const command = `ls ${folder}`;\n  return exec(command);\n}',
      ),
    );
    const [finding] = findings;
    expect(findings).toHaveLength(1);
    expect(findingSchema.parse(finding)).toEqual(finding);
    expect(finding).toMatchObject({
      rule: 'taint/command-injection',
      severity: 'critical',
      evidenceClass: 'D',
      axis: 'weakness',
      cwe: ['CWE-78'],
      owasp: ['MCP05'],
    });
    expect(finding?.locations.map(({ line, step }) => [line, step?.split(':')[0]])).toEqual([
      [16, 'argument x'],
      [16, 'passed to run()'],
      [13, 'put into a text'],
      [14, 'reaches child_process.exec'],
    ]);
    expect(finding?.evidence.map((one) => ('text' in one.excerpt ? one.excerpt.text : ''))).toEqual([
      expect.stringContaining('async ({ x }) => { return run(x); }'),
      'return exec(command);',
    ]);
  });

  it('keeps its id when lines move and gets another for another argument', async () => {
    const ids = async (body: string) => (await inspectSample(sampleModule(body))).findings.map((finding) => finding.id);
    const tool = (name: string) =>
      `server.tool('t', { ${name}: z.string() }, async ({ ${name} }) => exec(\`ls \${${name}}\`));`;
    const [first] = await ids(tool('x'));
    expect(await ids(`\n\n// moved\n${tool('x')}`)).toEqual([first]);
    expect(await ids(tool('y'))).not.toEqual([first]);
  });

  it('is told once for code that is there twice', async () => {
    const { 'index.js': text = '' } = sampleTool('exec(`ls ${x}`);');
    const { findings } = await inspectSample({
      'package.json': '{"main":"dist/index.js"}',
      'src/index.ts': text,
      'dist/index.js': text,
    });
    expect(findings.map((finding) => finding.locations.at(-1)?.path)).toEqual(['dist/index.js']);
  });
});

describe('names of bundles', () => {
  it.each([
    ['dist/chunk-Q6HVP5QJ.js', 'dist/chunk-*.js'],
    ['dist/index-BuPl9UKs.mjs', 'dist/index-*.mjs'],
    ['dist/index.js', 'dist/index.js'],
    ['src/file-system.ts', 'src/file-system.ts'],
    ['src/http-security.js', 'src/http-security.js'],
  ])('%s', (path, expected) => {
    expect(stablePath(path)).toBe(expected);
  });
});

describe('source maps', () => {
  const code = sampleTool('exec(`ls ${x}`);')['index.js'] ?? '';
  /** Every line of the compiled file is line 7 of the source. */
  const mappings = `AAMA${';AAAA'.repeat(30)}`;
  const map = { version: 3, sources: ['../src/server.ts'], names: [], mappings };
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');

  it.each([
    [
      'a file beside it',
      { 'dist/index.js': `${code}\n//# sourceMappingURL=index.js.map`, 'dist/index.js.map': JSON.stringify(map) },
      'src/server.ts',
    ],
    [
      'inside of it',
      { 'dist/index.js': `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}` },
      'src/server.ts',
    ],
    [
      'one that leads out',
      {
        'dist/index.js': `${code}\n//# sourceMappingURL=index.js.map`,
        'dist/index.js.map': JSON.stringify({ ...map, sources: ['../../../etc/passwd'] }),
      },
      'dist/index.js',
    ],
    [
      'one that is broken',
      {
        'dist/index.js': `${code}\n//# sourceMappingURL=index.js.map`,
        'dist/index.js.map': '{"mappings":"!!","sources":[1]}',
      },
      'dist/index.js',
    ],
    ['one that is missing', { 'dist/index.js': `${code}\n//# sourceMappingURL=index.js.map` }, 'dist/index.js'],
  ])('%s', async (_name, files, path) => {
    const { findings } = await inspectSample(files);
    expect(findings.map((finding) => finding.locations.at(-1)?.path)).toEqual([path]);
  });
});

describe('handlers', () => {
  it('lists every tool that one function serves', async () => {
    const { handlers } = await inspectSample(
      sampleModule(
        "const low = new Server({}, {});\nlow.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: 'a', description: 'A', inputSchema: { type: 'object', properties: { p: { type: 'string' } } } }, { name: 'b', inputSchema: { type: 'object', properties: {} } }] }));\nlow.setRequestHandler(CallToolRequestSchema, async (request) => ({}));",
      ),
    );
    expect(handlers.map(({ name, parameters }) => ({ name, parameters }))).toEqual([
      { name: 'a', parameters: ['p'] },
      { name: 'b', parameters: [] },
    ]);
  });
});
