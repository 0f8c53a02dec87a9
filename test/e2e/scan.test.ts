import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, reportSchema } from '../../src/base/report-schema.ts';
import { hotcell, repository } from './hotcell.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-scan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const server = (body: string): string => `
import { exec, execFile } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
const server = new McpServer({ name: 'x', version: '1.0.0' });
server.registerTool('search', { description: 'Search notes', inputSchema: { word: z.string() } }, async ({ word }) => {
  ${body}
  return { content: [] };
});
`;
const manifest = JSON.stringify({ name: 'notes-server', version: '1.0.0', type: 'module', main: 'server.js' });
write('bad/package.json', manifest);
write('bad/server.js', server('exec(`grep ${word} notes`);'));
write('good/package.json', manifest);
write('good/server.js', server("execFile('grep', ['--', word, 'notes']);"));
write('excused/package.json', manifest);
write(
  'excused/server.js',
  server('// hotcell-ignore taint/command-injection: only ever called by us\n  exec(`grep ${word} notes`);'),
);
write(
  'config/mcp.json',
  JSON.stringify({
    mcpServers: {
      notes: { command: 'node', args: [join(folder, 'bad/server.js')], env: { API_KEY: 'sk-very-secret-value-123' } },
      gone: { url: 'https://mcp.example/sse' },
    },
  }),
);

const home = { HOTCELL_HOME: join(folder, 'home') };
const run = (args: readonly string[]) => hotcell(['scan', ...args], { cwd: folder, environment: home });
const reportOf = (args: readonly string[]): Report =>
  reportSchema.parse(JSON.parse(run([...args, '--offline', '--format', 'json']).stdout));
const rulesOf = (report: Report): readonly string[] =>
  report.subjects.flatMap(({ findings }) => findings.map(({ rule }) => rule));

describe('hotcell scan', () => {
  it('finds a shell that an argument reaches, and is silent where there is none', () => {
    expect(rulesOf(reportOf(['./bad']))).toContain('taint/command-injection');
    expect(rulesOf(reportOf(['./good']))).not.toContain('taint/command-injection');
  });

  it.each([
    { what: 'a bad server', args: ['./bad', '--offline'], code: 1 },
    { what: 'a good one, of which advisories are unknown', args: ['./good', '--offline'], code: 3 },
    { what: 'a good one, where that is accepted', args: ['./good', '--offline', '--offline-ok'], code: 0 },
    { what: 'a target that there is not', args: ['./absent'], code: 2 },
    { what: 'an ambiguous name', args: ['bad'], code: 2 },
    { what: 'an unknown format', args: ['./good', '--format', 'pdf'], code: 2 },
    { what: 'an unknown ending', args: ['./good', '-o', 'x.pdf'], code: 2 },
    { what: 'an unknown severity', args: ['./good', '--fail-on', 'worst'], code: 2 },
    { what: 'an unknown rule', args: ['--explain', 'taint/comand-injection'], code: 2 },
    { what: 'a baseline that there is not', args: ['./good', '--baseline', 'absent.json'], code: 2 },
  ])('ends with $code for $what', ({ args, code }) => {
    expect(run(args).code).toBe(code);
  });

  it('gives a finding the same id when lines move', () => {
    const before = reportOf(['./bad']).subjects[0]?.findings.map(({ id }) => id);
    write('moved/package.json', manifest);
    write('moved/server.js', `\n\n// a comment\n${server('exec(`grep ${word} notes`);')}`);
    expect(reportOf(['./moved']).subjects[0]?.findings.map(({ id }) => id)).toEqual(before);
  });

  it("obeys a suppression with a reason in a folder of one's own, and counts it", () => {
    const [subject] = reportOf(['./excused']).subjects;
    expect(subject?.findings.map(({ rule }) => rule)).not.toContain('taint/command-injection');
    expect(subject?.suppressed[0]).toMatchObject({ by: 'inline', reason: 'only ever called by us' });
  });

  it('hides what a baseline accepts', () => {
    expect(run(['./bad', '--offline', '--write-baseline', 'accepted.json']).code).toBe(3);
    const again = run(['./bad', '--offline', '--offline-ok', '--baseline', 'accepted.json']);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('suppressed, with a reason');
  });

  it('writes several formats at once', () => {
    run(['./bad', '--offline', '-o', 'r.json', '-o', 'r.sarif', '-o', 'r.md', '-o', 'r.html']);
    expect(reportSchema.safeParse(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).success).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, 'r.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(readFileSync(join(folder, 'r.md'), 'utf8')).toContain('rule taint/command-injection');
    expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('taint/command-injection');
  });

  it('lists the servers of a config without their secrets, and scans what is here', () => {
    const listed = run(['./config/mcp.json', '--list']);
    expect(listed.stdout).toContain('notes: node');
    expect(listed.stdout).toContain('API_KEY');
    expect(listed.stdout).not.toContain('sk-very-secret');
    const report = reportOf(['./config/mcp.json']);
    expect(rulesOf(report)).toContain('taint/command-injection');
    expect(JSON.stringify(report)).not.toContain('sk-very-secret');
    expect(report.subjects.map(({ checks }) => checks[0]?.is)).toEqual(['done', 'unknown']);
  });

  it('reads a command after -- as what it would start', () => {
    const { stdout } = run(['--offline', '--format', 'json', '--', 'node', './bad/server.js', '--port', '1']);
    expect(rulesOf(reportSchema.parse(JSON.parse(stdout)))).toContain('taint/command-injection');
  });

  it('makes a bill of materials of what this very repository depends on', () => {
    // Without its thousands of source files, which would be analysed too.
    for (const name of ['package.json', 'package-lock.json']) {
      write(join('own', name), readFileSync(join(repository, name), 'utf8'));
    }
    const own = run(['./own', '--offline', '--format', 'cyclonedx']);
    const bom = JSON.parse(own.stdout) as { bomFormat: string; components: { purl: string }[] };
    expect(bom.bomFormat).toBe('CycloneDX');
    expect(bom.components.map(({ purl }) => purl)).toContainEqual(expect.stringMatching(/^pkg:npm\/zod@\d/));
    expect(bom.components.length).toBeGreaterThan(100);
  });

  it('explains every rule that it names', () => {
    const { stdout, code } = run(['--explain', 'taint/command-injection']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Fires on[\s\S]*Silent on/);
  });
});
