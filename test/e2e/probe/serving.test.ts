import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findTool } from '../../../src/engine/host/index.ts';
import type { ScanResult } from '../../../src/instruments/probe/contract.ts';
import { target } from '../../contract/probe/world.ts';
import { trying } from '../../samples/probe/weak-api/planted.ts';
import { until } from '../../until.ts';
import { Place, quickScope, whyNoPlace } from './place.ts';

/** Scans that take long, for several at once: they wait, tell, can be ended, and leave nothing. */

const reason = await whyNoPlace();
const longestMs = 300_000;
const base = `http://${target.ipv4}`;

/** Takes minutes, and finds port 80 at its beginning. */
const longScan = (last: number) => ({ target: target.ipv4, ports: `80,3001-${last}`, timing: 'polite' });

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** Processes of this machine whose command line has the words. */
function running(words: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(join('/proc', name, 'cmdline'), 'latin1').includes(words);
    } catch {
      return false;
    }
  });
}

describe('a server of scanners', () => {
  let place: Place;
  beforeAll(async () => {
    if (reason === null) place = await Place.open();
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(() => place?.close());

  /** What scans of this place have left: boxes, and namespaces with the id of a scan. */
  function leftovers(): readonly string[] {
    const boxes = join(place.root, 'run', 'boxes');
    const scans = existsSync(join(place.home, 'probe')) ? readdirSync(join(place.home, 'probe')) : [];
    return [
      ...(existsSync(boxes) ? readdirSync(boxes) : []),
      ...readdirSync('/run/netns').filter((name) => scans.some((id) => name.includes(id))),
    ];
  }

  const call = (client: Client, name: string, input: Record<string, unknown>, options: object = {}) =>
    client.callTool({ name, arguments: input }, { timeout: longestMs, ...options });

  it('serves several clients at once, in turn where the scope says so', { timeout: longestMs }, async () => {
    const concurrency = { scans: 4, perTarget: 2, connections: 50 };
    const served = await place.serve(['--scope', place.scope('two', { ...quickScope, concurrency })]);
    const [first, second, third] = await Promise.all([served.client(), served.client(), served.client()]);
    const told: { first: string[]; third: string[] } = { first: [], third: [] };
    const tell =
      (whose: 'first' | 'third') =>
      ({ message = '' }: { readonly message?: string }) =>
        void told[whose].push(message);

    // Two run side by side: one that its client waits for, and one as a job.
    const stop = new AbortController();
    const cancelled = call(first, 'nmap_scan', longScan(3401), {
      signal: stop.signal,
      onprogress: tell('first'),
    }).catch((error: unknown) => error);
    const started = await call(second, 'nmap_scan', { ...longScan(3402), wait_seconds: 0 });
    const { job, status } = started.structuredContent as { job: string; status: string };
    expect(status).toBe('running');
    await until(() => running('80,3001-3401').length > 0 && running('80,3001-3402').length > 0);

    // The third waits for one of them.
    const waited = call(third, 'http_probe', { url: `${base}/` }, { onprogress: tell('third') });
    await until(() => told.third.length > 0);
    expect(told.third[0]).toContain('waiting for');

    // Whoever only asks is answered meanwhile.
    expect((await call(third, 'get_scope', {})).isError ?? false).toBe(false);
    const asked = await call(second, 'job_status', { job });
    expect(asked.structuredContent).toMatchObject({ jobs: [{ id: job, state: 'running' }] });
    expect(told.first.length).toBeGreaterThan(0);
    expect(running('80,3001-3401')).not.toEqual([]);

    // Its client no longer wants the first: it ends, and the third has its turn.
    stop.abort();
    expect(await cancelled).toBeInstanceOf(Error);
    const { status: done } = (await waited).structuredContent as ScanResult;
    expect(done).toBe('completed');
    await until(() => running('80,3001-3401').length === 0);
    expect(running('80,3001-3401')).toEqual([]);

    // The job goes on until somebody ends it, and what it had found is kept.
    expect(running('80,3001-3402')).not.toEqual([]);
    await call(second, 'job_cancel', { job });
    const ended = await call(second, 'job_result', { job, wait_seconds: 60 });
    expect(ended.structuredContent).toMatchObject({
      job: { id: job, state: 'cancelled' },
      result: { tool: 'nmap_scan', status: 'cancelled' },
    });
    await until(() => leftovers().length === 0);
    expect({ leftovers: leftovers(), running: running('80,3001-') }).toEqual({ leftovers: [], running: [] });
    expect(await served.close()).toBe(143);
    const kept = await place.run(['probe', 'report', '--list']);
    expect(kept.stdout.match(/cancelled/g)).toHaveLength(2);
    expect(await place.world.strays()).toEqual([]);
  });

  it('ends a scan with its scope, and keeps what was found', { timeout: longestMs }, async () => {
    const patient = await place.client(['--scope', place.scope('scope', quickScope)]);
    // Long enough to start a server and to find the first port on a busy machine.
    const expires = new Date(Date.now() + 20_000).toISOString();
    const client = await place.client(['--scope', place.scope('ending', { ...quickScope, expires })]);
    const endless = [trying.flood, `${trying.slow.path}?${trying.slow.parameter}=600`];
    const [scan, ...others] = await Promise.all([
      call(client, 'nmap_scan', longScan(3403)),
      // Meanwhile, and without such an end, answers that have none.
      ...endless.map((path) => call(patient, 'http_probe', { url: `${base}${path}` })),
    ]);
    const results = [scan, ...others].map((answer) => answer.structuredContent as ScanResult);
    const ports = results[0]?.findings.map(({ port }) => port);
    expect({ status: results[0]?.status, ports }).toEqual({ status: 'timed_out', ports: [80] });
    // The flood is read as far as a body is, and silence is told as that.
    expect(results.slice(1).map(({ status }) => status)).toEqual(['completed', 'error']);
    expect(results[1]?.findings).toContainEqual(expect.objectContaining({ kind: 'fact', name: 'answer' }));
    expect(results[2]?.notes.length).toBeGreaterThan(0);
    const late = await call(client, 'nmap_scan', { target: target.ipv4, ports: '80' });
    expect(late.isError).toBe(true);
    expect(textOf(late)).toContain('expired');
  });

  it('leaves nothing behind when it is killed', { timeout: longestMs }, async () => {
    const served = await place.serve(['--scope', place.scope('scope', quickScope)]);
    const client = await served.client();
    await call(client, 'nmap_scan', { ...longScan(3404), wait_seconds: 0 });
    await until(() => running('80,3001-3404').length > 0);
    expect(running('80,3001-3404')).not.toEqual([]);
    served.process.kill('SIGKILL');
    await until(() => leftovers().length === 0 && running('80,3001-3404').length === 0);
    expect({ leftovers: leftovers(), running: running('80,3001-3404') }).toEqual({ leftovers: [], running: [] });
  });

  it('says what is missing, and which package brings it', { timeout: longestMs }, async () => {
    const hidden = [(await findTool('nmap')) ?? ''];
    const args = ['--scope', place.scope('scope', quickScope)];
    const client = await place.client(args, { hidden });
    const scope = (await call(client, 'get_scope', {})).structuredContent as {
      scanners: readonly { name: string; is_available: boolean; because: string | null }[];
    };
    const { job } = (await call(client, 'tls_audit', { target: target.ipv4, wait_seconds: 0 })).structuredContent as {
      job: string;
    };
    const nmap = scope.scanners.find(({ name }) => name === 'nmap_scan');
    expect(nmap).toMatchObject({ is_available: false, because: expect.stringContaining('Debian package nmap') });
    const { tools } = await client.listTools();
    const listed = tools.find(({ name }) => name === 'nmap_scan')?.description;
    expect(listed).toMatch(/^Not available on this machine: nmap is not installed.*Debian package nmap/);
    const answer = await call(client, 'nmap_scan', { target: target.ipv4, ports: '80' });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^Error PROGRAM_MISSING: .*Debian package nmap/m);
    expect(textOf(answer)).toContain('What to do: hotcell probe scope');
    const ran = await place.run(['probe', 'nmap', target.ipv4, '--ports', '80', ...args], { hidden });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 5, stdout: '' });
    expect(ran.stderr).toContain('Debian package nmap');

    // Whatever needs nothing goes on, and a job that is done has its result.
    const done = await call(client, 'job_result', { job, wait_seconds: 100 });
    expect(done.structuredContent).toMatchObject({
      job: { id: job, state: 'done' },
      result: { tool: 'tls_audit', status: 'completed', target: `${target.ipv4}:443` },
    });
  });
});
