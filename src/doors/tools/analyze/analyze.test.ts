import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../../base/event-schema.ts';
import type { Report } from '../../../base/report-schema.ts';
import { writeRun } from '../../../instruments/analyze/run/write-run.ts';
import { ruleCatalogue } from '../../../instruments/analyze/scan/index.ts';
import { callTool } from '../call-tool.ts';
import { toolsets } from '../index.ts';
import { cleanReport, hint, hostileText, sampleFinding, sampleReport } from '../runs/sample-report.ts';
import { openSampleHost, type SampleHost } from '../sample-host.ts';

/** The tools that look at runs, on runs that were written by hand. */

let sample: SampleHost;
const hostile = '20260102-000000-1';

async function keep(name: string, report: Report): Promise<void> {
  await writeRun({ report, bom: { bomFormat: 'CycloneDX' }, folder: join(sample.home, 'runs', name) }, ruleCatalogue());
}

function event(seq: number, more: Partial<Event>): Event {
  const at = { monotonicNs: String(seq), wall: '2026-01-01T00:00:00.000Z' };
  return { seq, at, run: 'r', phase: 'use', source: 'gvisor-trace', kind: 'exec', fields: {}, ...more };
}

const events: readonly Event[] = [
  event(0, { phase: 'install' }),
  event(1, { kind: 'dns-answer', fields: { name: { text: 'collect.example' }, addresses: ['203.0.113.9'] } }),
  event(2, { kind: 'connect', fields: { address: '203.0.113.9', port: 443 } }),
  event(3, { kind: 'open', fields: { path: { text: `/home/a/.ssh/${hostileText}` } }, call: 'call-7' }),
  event(4, { process: { pid: 7, parent: 1, name: { text: 'sh' } } }),
  ...Array.from({ length: 37 }, (_, at) => event(at + 5, { kind: 'heartbeat' })),
  event(42, { kind: 'open', fields: { path: { text: '/work/m' } }, call: 'call-7' }),
];

beforeAll(async () => {
  sample = await openSampleHost();
  await keep('20260101-000000-1', cleanReport());
  await keep(hostile, sampleReport());
  writeFileSync(
    join(sample.home, 'runs', hostile, 'events.ndjson'),
    `${events.map((each) => JSON.stringify(each)).join('\n')}\n`,
  );
  mkdirSync(join(sample.home, 'outputs'), { recursive: true });
  writeFileSync(join(sample.home, 'outputs', 'a.txt'), 'grüße'.repeat(1000));
  writeFileSync(join(sample.home, 'secret.txt'), 'secret');
  symlinkSync(join(sample.home, 'secret.txt'), join(sample.home, 'outputs', 'link.txt'));
  symlinkSync(sample.home, join(sample.home, 'outputs', 'way'));
  symlinkSync(join(sample.home, 'runs', hostile), join(sample.home, 'runs', 'linked'));
});
afterAll(() => sample.close());

const tool = (name: string) => {
  const found = toolsets.analyze?.tools.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const call = (name: string, input: object) => callTool(tool(name), input, sample.host);

/** Fields of answers that are looked into, whichever tool has them. */
interface Asked {
  readonly cursor: string | null;
  readonly runs: readonly { readonly run: string }[];
  readonly entries: readonly {
    readonly id: string;
    readonly server: { readonly name: unknown };
    readonly verdict: object;
  }[];
  readonly events: readonly { readonly seq: number }[];
  readonly proof: { readonly steps: readonly unknown[] };
  readonly jobs: readonly unknown[];
  readonly run: string;
  readonly text: string;
  readonly next_offset: number | null;
}

const ask = async (name: string, input: object): Promise<Asked> => {
  const answer = await call(name, input);
  expect(answer.text, name).not.toContain(hostileText);
  expect(JSON.stringify(answer.structured)).not.toContain('\u202e');
  expect(answer.isError, answer.text).toBe(false);
  return answer.structured as unknown as Asked;
};

describe('list_runs', () => {
  it('has the newest first, and goes on where it ended', async () => {
    const first = await ask('list_runs', { limit: 2 });
    expect(first.runs.map(({ run }) => run)).toEqual(['linked', hostile]);
    expect(first).toMatchObject({ total: 3, cursor: '2' });
    expect(first.runs[1]).toMatchObject({ band: 'fails', risk: 98, target: '/srv/notes', findings: { critical: 1 } });
    const next = await ask('list_runs', { limit: 2, cursor: first.cursor });
    expect(next).toMatchObject({ cursor: null, runs: [{ run: '20260101-000000-1', band: 'passes' }] });
  });
});

describe('get_report', () => {
  it.each([
    ['verdict', 1],
    ['findings', 2],
    ['tools', 0],
    ['network', 0],
    ['files', 0],
    ['processes', 0],
    ['policy', 6],
    ['coverage', 3],
    ['timeline', 3],
  ])('%s has %s rows', async (section, total) => {
    const { entries, cursor } = await ask('get_report', { run: hostile, section });
    expect(entries).toHaveLength(total);
    expect(cursor).toBeNull();
  });

  it('tells what the server chose as such', async () => {
    const { entries } = await ask('get_report', { run: hostile });
    expect(entries[0]?.server.name).toEqual({ untrusted: 'notes \\x1b[2J\\u{202e}evil' });
    expect(entries[0]?.verdict).toMatchObject({ band: 'fails' });
  });

  it('turns pages', async () => {
    const first = await ask('get_report', { run: hostile, section: 'findings', limit: 1 });
    const next = await ask('get_report', { run: hostile, section: 'findings', limit: 1, cursor: first.cursor });
    expect([...first.entries, ...next.entries].map(({ id }) => id)).toEqual([sampleFinding().id, hint.id]);
  });

  it.each(['../secret', '/etc', 'a/b', '..', '', 'x'.repeat(200), 'a\0b'])('takes no run %j', async (run) => {
    expect(await call('get_report', { run })).toMatchObject({ isError: true, exitCode: 2 });
  });

  it('takes no run that is a link, and names those that are near', async () => {
    expect((await call('get_report', { run: 'linked' })).text).toContain('no folder');
    expect((await call('get_report', { run: '20260102-000000-2' })).text).toContain(`did you mean ${hostile}?`);
  });
});

describe('get_finding', () => {
  it('has the proof and the events behind it', async () => {
    const { id } = sampleFinding();
    const found = await ask('get_finding', { run: hostile, finding: id.slice(0, 8) });
    expect(found).toMatchObject({ run: hostile, can_replay: true, finding: { id, evidenceClass: 'A' } });
    expect(found.proof.steps).toHaveLength(5);
    expect(found.events.map(({ seq }) => seq)).toEqual([41, 42]);
  });

  it('has none where there is none', async () => {
    expect(await ask('get_finding', { run: hostile, finding: hint.id })).toMatchObject({
      proof: null,
      can_replay: false,
    });
    expect((await call('get_finding', { run: hostile, finding: 'ffff' })).text).toContain('no finding');
  });
});

describe('get_policy', () => {
  it.each([
    ['json', '"name": "notes-server"'],
    ['docker-flags', '--cap-drop=ALL'],
    ['sandbox-runtime', 'api.example'],
    ['toolhive', 'api.example'],
  ])('as %s', async (format, words) => {
    const { text, run } = await ask('get_policy', { run: hostile, format });
    expect(run).toBe(hostile);
    expect(text).toContain(words);
  });
});

describe('query_events', () => {
  it.each([
    [{}, [0, 1, 2, 3, 4, 42]],
    [{ kind: ['exec'] }, [0, 4]],
    [{ phase: ['install'] }, [0]],
    [{ call: ['call-7'] }, [3, 42]],
    [{ process: [7] }, [4]],
    [{ path: '.ssh' }, [3]],
    [{ host: 'COLLECT' }, [1, 2]],
    [{ kind: ['open'], host: 'collect' }, []],
  ])('%j', async (query, seqs) => {
    const found = await ask('query_events', { run: hostile, ...query });
    expect(found.events.map(({ seq }) => seq)).toEqual(seqs);
    expect(found).toMatchObject({ cursor: null, is_log_whole: true });
  });

  it('goes on where it ended', async () => {
    const first = await ask('query_events', { run: hostile, limit: 5 });
    expect(first.cursor).toBe('42');
    const next = await ask('query_events', { run: hostile, limit: 5, cursor: first.cursor });
    expect(next.events.map(({ seq }) => seq)).toEqual([42]);
  });

  it('says so where a run has no log', async () => {
    expect(await call('query_events', { run: '20260101-000000-1' })).toMatchObject({ isError: true, exitCode: 2 });
  });
});

describe('read_output', () => {
  it('comes by every character once', async () => {
    let text = '';
    let offset: number | null = 0;
    for (let round = 0; round < 100 && offset !== null; round += 1) {
      const piece: Asked = await ask('read_output', { path: 'outputs/a.txt', offset, bytes: 100 });
      text += piece.text;
      offset = piece.next_offset;
    }
    expect(text).toBe('grüße'.repeat(1000));
  });

  it('reads documents of runs, by their whole path too', async () => {
    const path = join(sample.home, 'runs', hostile, 'report.md');
    expect(await ask('read_output', { path, bytes: 50 })).toMatchObject({ path, offset: 0 });
  });

  it.each([
    'secret.txt',
    '../secret.txt',
    'outputs/../secret.txt',
    '/etc/passwd',
    'outputs/link.txt',
    'outputs/way/secret.txt',
    'outputs/way/outputs/a.txt',
    'runs/linked/report.json',
    'outputs',
    'outputs/none.txt',
    'outputsx/a.txt',
    'outputs/a.txt\0',
    `runs/${hostile}`,
  ])('does not read %j', async (path) => {
    const answer = await call('read_output', { path });
    expect(answer).toMatchObject({ isError: true, exitCode: 2 });
    expect(answer.text).not.toContain('root:');
  });
});

describe('explain_rule and jobs', () => {
  it('explains a rule, and guesses a misspelt one', async () => {
    expect(await ask('explain_rule', { rule: 'taint/command-injection' })).toMatchObject({ axis: 'weakness' });
    expect((await call('explain_rule', { rule: 'taint/command-injektion' })).text).toContain('did you mean');
  });

  it('tells of jobs, waits for them and cancels them', async () => {
    const { id } = sample.host.jobs.start('work', async () => ({ answer: 1 }));
    expect(await ask('job_result', { job: id, wait_seconds: 60 })).toMatchObject({
      job: { state: 'done' },
      result: { answer: 1 },
    });
    const running = sample.host.jobs.start(
      'more',
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    );
    expect(await ask('job_result', { job: running.id })).toMatchObject({ job: { state: 'running' }, result: null });
    expect(await ask('job_cancel', { job: running.id })).toMatchObject({ job: { state: 'cancelled' } });
    expect((await ask('job_status', {})).jobs).toHaveLength(2);
    expect((await call('job_status', { job: 'job-0123456789abcdef' })).text).toContain('there is no job');
  });
});

describe('resources', () => {
  const resources = toolsets.analyze?.resources ?? [];

  it('lists and reads documents of runs', async () => {
    for (const resource of resources) {
      const uris = (await resource.list(sample.host)).map(({ uri }) => uri);
      const uri = resource.template.replace('{run}', hostile);
      expect(uris).toContain(uri);
      expect((await resource.read({ run: hostile }, sample.host))?.text.length).toBeGreaterThan(10);
    }
  });

  it.each(['..', '../..', 'linked', 'none', '', 'a/b', 'latest'])('reads nothing of %j', async (run) => {
    for (const resource of resources) expect(await resource.read({ run }, sample.host)).toBeNull();
  });
});
