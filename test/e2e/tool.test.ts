import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hotcell, type Ran, readUntil, startHotcellIn } from './hotcell.ts';

/** `hotcell tool` on a small server that does no harm by itself and can be made to. Nothing is fetched. */

const root = mkdtempSync(join(tmpdir(), 'hotcell-tool-'));
const environment = { HOTCELL_HOME: join(root, 'home') };
const longestMs = 170_000;

const manifest = { name: 'tiny-server', version: '1.0.0', type: 'module', bin: { 'tiny-server': 'index.js' } };
const server = `#!/usr/bin/env node
import { execSync } from 'node:child_process';
import { createInterface } from 'node:readline';
const inputSchema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
const tools = [{ name: 'greet', description: 'Says hello to somebody.', inputSchema }];
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tiny', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: { word } }) => ({
    content: [{ type: 'text', text: execSync('echo hello ' + word, { encoding: 'utf8' }) }],
  }),
  ping: () => ({}),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  let out;
  try {
    out = { result: answers[method](params ?? {}) };
  } catch (error) {
    out = { error: { code: -32603, message: String(error.message).slice(0, 200) } };
  }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...out }) + '\\n');
});
`;

interface Summary {
  readonly run: string;
  readonly folder: string;
  readonly band: string | null;
  readonly worst: readonly { readonly id: string; readonly evidence_class: string; readonly rule: string }[];
}

function tool(...args: readonly string[]): Ran {
  return hotcell(['tool', ...args], { cwd: root, environment });
}

function ask<Answer>(...args: readonly string[]): Answer {
  const ran = tool(...args, '--json');
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout) as Answer;
}

beforeAll(() => {
  mkdirSync(join(root, 'server'));
  writeFileSync(join(root, 'server', 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(root, 'server', 'index.js'), server, { mode: 0o755 });
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('hotcell tool scan_server', () => {
  it(
    'reads a server, and keeps the run',
    () => {
      const { run, band, folder } = ask<Summary>('scan_server', '--target', './server', '--offline');
      expect(band).toBeNull();
      expect(folder).toBe(join(root, 'home', 'runs', run));
      const { runs } = ask<{ runs: readonly { run: string }[] }>('list_runs');
      expect(runs.map((each) => each.run)).toEqual([run]);
      expect(tool('get_policy', '--run', run)).toMatchObject({ code: 2, stdout: '' });
    },
    longestMs,
  );
});

describe('hotcell tool analyze_server', () => {
  let summary: Summary;

  beforeAll(() => {
    const wait = ['--budget', 'quick', '--offline', '--wait-seconds', '100'];
    const answer = ask<{ job: { state: string }; result: Summary }>('analyze_server', '--target', './server', ...wait);
    expect(answer.job.state).toBe('done');
    summary = answer.result;
  }, longestMs);

  const worst = (): string => summary.worst[0]?.id ?? '';

  it('proves what the server lets be done to it', () => {
    expect(summary.band).toBe('fails');
    expect(summary.worst[0]?.evidence_class).toBe('A');
  });

  it('tells the finding with its proof', () => {
    const found = ask<{
      finding: { cwe: readonly string[] };
      proof: { steps: readonly unknown[] };
      can_replay: boolean;
    }>('get_finding', ...['--run', summary.run, '--finding', worst()]);
    expect(found.finding.cwe).toContain('CWE-78');
    expect(found.proof.steps.length).toBeGreaterThan(2);
    expect(found.can_replay).toBe(true);
    const { stdout } = tool('get_finding', '--run', 'latest', '--finding', worst().slice(0, 6));
    expect(stdout).toMatch(/Untrusted data from finding [0-9a-f]{16} and its proof/);
  });

  it('fetches the least privilege, for other tools too', () => {
    const { text } = ask<{ text: string }>('get_policy', '--run', summary.run);
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(join(summary.folder, 'policy.json'), 'utf8')));
    expect(ask<{ text: string }>('get_policy', '--run', 'latest', '--format', 'docker-flags').text).toContain(
      '--cap-drop',
    );
  });

  it('tells the report in parts, and the events', () => {
    const { entries } = ask<{ entries: readonly object[] }>('get_report', '--run', 'latest', '--section', 'tools');
    expect(entries).toContainEqual(expect.objectContaining({ part: 'tool', name: { untrusted: 'greet' } }));
    const { events, cursor } = ask<{ events: readonly { kind: string }[]; cursor: string | null }>(
      'query_events',
      ...['--run', 'latest', '--kind', 'exec', '--phase', 'attack', '--limit', '3'],
    );
    expect(events.map(({ kind }) => kind)).toEqual(['exec', 'exec', 'exec']);
    expect(cursor).not.toBeNull();
  });

  it(
    'does the finding again, and waits for the job that it started',
    () => {
      const { result } = ask<{ result: { answer: string } }>(
        'replay_finding',
        ...['--run', summary.run, '--finding', worst(), '--offline'],
      );
      expect(result.answer).toBe('confirmed');
    },
    longestMs,
  );
});

describe('hotcell tool run_in_box', () => {
  it('runs a command, and spells out what it prints', () => {
    const argv = ['/bin/sh', '-c', String.raw`printf '\033[2Jout'; printf err >&2; exit 7`];
    const { stdout, code } = tool('run_in_box', '--time-limit-seconds', '20', '--', ...argv);
    expect(code).toBe(0);
    expect(stdout).toContain('ended with code 7');
    expect(stdout).toContain(String.raw`\x1b[2Jout`);
    expect(stdout).not.toContain('\u001b');
  });

  it('keeps what is too much for an answer, and reads on', () => {
    const ran = tool('run_in_box', '--argv', 'seq', '--argv', '200000');
    expect(ran.code, ran.stderr).toBe(0);
    const [, path = ''] = /is in (\S+): read on/.exec(ran.stdout) ?? [];
    const end = ask<{ text: string; next_offset: number | null }>('read_output', '--path', path, '--offset', '1288000');
    expect(end.text).toContain('199999\n200000\n');
    expect(end.next_offset).toBeNull();
  });

  it(
    'is ended by a signal, box and all',
    async () => {
      const child = startHotcellIn(['tool', 'analyze_server', '--target', './server', '--offline'], {
        cwd: root,
        environment,
      });
      // Whichever phase it is: they are looked at now and then, and on a busy machine the first ones are not seen.
      await readUntil(child.stderr, 'hotcell: ');
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      child.stdout.resume();
      child.stderr.resume();
      expect(await ended).toBe(130);
    },
    longestMs,
  );
});
