import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSampleDoor } from '../analyze/sample-door.ts';
import { commands } from '../commands/index.ts';
import { parseCommandLine } from '../program.ts';
import { describeTerminal } from '../terminal/index.ts';
import { runToolCommand } from './run.ts';

const root = mkdtempSync(join(tmpdir(), 'hotcell-tool-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });

/** The whole way of a command line, short of the process. */
async function run(...argv: readonly string[]) {
  const trailing = argv.includes('--') ? argv.slice(argv.indexOf('--') + 1) : [];
  const { door, stdout, stderr } = await openSampleDoor({ folder: root, home: join(root, 'home'), trailing });
  const parsed = parseCommandLine(['tool', ...argv], commands, { version: '0', terminal });
  if ('text' in parsed) return { code: parsed.exitCode, stdout: parsed.text, stderr: '' };
  const code = await runToolCommand(parsed.words, door);
  return { code, stdout: stdout(), stderr: stderr() };
}

describe('hotcell tool', () => {
  it('lists the tools by toolset', async () => {
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^analyze {2}Analyze MCP servers\n {2}scan_server +Read/);
  });

  it('has help of its own, and help for each tool', async () => {
    expect((await run('--help')).stdout).toContain('Usage: hotcell tool');
    for (const flag of ['--help', '-h']) {
      const { code, stdout } = await run('query_events', flag);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: hotcell tool query_events');
      expect(stdout).toContain('--process');
      expect(stdout).toContain('hotcell tool query_events --run latest --kind bait-read --kind leak');
      expect(stdout).toContain('"is_log_whole"');
    }
  });

  it('prints the answer as text or as JSON, and nothing else on stdout', async () => {
    const text = await run('list_runs', '--limit', '5');
    expect(text).toEqual({ code: 0, stdout: '0 of 0 runs.\n', stderr: '' });
    const json = await run('list-runs', '--json');
    expect(JSON.parse(json.stdout)).toEqual({ runs: [], total: 0, cursor: null });
    expect(json.stdout).toMatch(/^\{\n/);
  });

  it.each([
    [['explain_rule', '--rule', 'none/such'], 'there is no rule'],
    [['list_runs', '--limit', '0'], 'limit'],
    [['get_report'], 'run'],
    [['get_report', '--run', '../x'], 'expected the name of a run'],
    [['run_in_box', '--tier', 'NONE', '--', 'id'], 'tier'],
  ])('%j ends with 2 and leaves stdout clean', async (argv, words) => {
    const { code, stdout, stderr } = await run(...argv);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^hotcell: /);
    expect(stderr).toContain(words);
  });

  it.each([
    [['list_run'], 'did you mean list_runs?'],
    [['list_runs', '--limt', '3'], 'unknown option "--limt"'],
    [['list_runs', 'x'], 'stands alone'],
    [['list_runs', '--', 'id'], 'no command after --'],
  ])('%j is a mistake that is told', async (argv, words) => {
    const error = await run(...argv).catch((thrown: unknown) => thrown);
    expect(`${(error as Error).message} ${(error as { hint?: string }).hint}`).toContain(words);
  });

  it('is still a flag of every command where it is one', async () => {
    const parsed = parseCommandLine(['tool', 'list_runs', '--home', '/x', '--limit', '3'], commands, {
      version: '0',
      terminal,
    });
    expect(parsed).toMatchObject({ flags: { home: '/x' }, words: ['list_runs', '--limit', '3'] });
  });
});
