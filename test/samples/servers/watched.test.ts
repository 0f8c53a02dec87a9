import { mkdtempSync, rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../src/base/event-schema.ts';
import type { Policy } from '../../../src/base/policy-schema.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import { Arena } from '../../contract/box/arena.ts';
import { Conversation } from './conversation.ts';
import {
  commandOf,
  folderOf,
  policyOf,
  preparedFolder,
  readSampleServers,
  type SampleServer,
} from './sample-servers.ts';

/** What the samples do is seen from outside while they do it, and their twins are seen not to. */

type Proof = (event: Event) => boolean;

const leak =
  (via: string, encoding: string | null): Proof =>
  ({ kind, fields }) =>
    kind === 'leak' &&
    fields.via === via &&
    (encoding === null || JSON.stringify(fields.encodings).includes(`"${encoding}"`));

/** By name, or by address where it was asked for without one. */
const asked =
  (host: string): Proof =>
  ({ kind, fields }) => {
    const { name, address } = (fields.asked ?? {}) as { readonly name?: unknown; readonly address?: unknown };
    return kind === 'http-request' && (name === host || address === host);
  };

const executed =
  (program: string, word: string): Proof =>
  ({ kind, fields }) =>
    kind === 'exec' &&
    JSON.stringify(fields.path).includes(program) &&
    JSON.stringify(fields.argv).includes(`"${word}"`);

const backend = 'bwrap';
const samples = readSampleServers();
/** How long a proof may take to come; a twin is given no time, since closing a cell waits for all its sensors. */
const proofTimeoutMs = 20_000;

function sampleOf(id: string): SampleServer {
  const sample = samples.find((known) => known.id === id);
  if (sample === undefined) throw new Error(`no sample ${id}`);
  return sample;
}

/** A cell and what was seen in it so far. */
class Watch {
  readonly events: Event[] = [];
  readonly #waiting = new Map<Proof, () => void>();
  #cell: Cell | null = null;

  async open(policy: Policy, arena: Arena, folder: string): Promise<void> {
    const onEvents = (fresh: readonly Event[]): void => {
      this.events.push(...fresh);
      for (const [proof, found] of this.#waiting) if (fresh.some(proof)) found();
    };
    this.#cell = await Cell.open(policy, { backend, ...arena.options, folder, onEvents });
  }

  async until(proof: Proof): Promise<void> {
    if (this.events.some(proof)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, proofTimeoutMs);
      this.#waiting.set(proof, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.#waiting.delete(proof);
  }

  /** Does what makes the hostile one act, and stays until `isDone` was seen. */
  async visit(sample: SampleServer, command: readonly string[], isDone: Proof | null): Promise<void> {
    const child = await this.#cell?.spawn(command, { cwd: folderOf(sample) });
    if (child === undefined) throw new Error('the cell is not open');
    const conversation = new Conversation(child, sample.transport);
    expect((await conversation.initialize(sample.needs.client))?.result).toBeDefined();
    const { tool, example } = sample.trigger;
    for (let call = 0; tool !== null && call < (sample.needs.calls ?? 1); call += 1) {
      expect((await conversation.call(tool, example))?.result).toBeDefined();
    }
    if (isDone !== null) await this.until(isDone);
    await conversation.end();
  }

  async close(): Promise<void> {
    await this.#cell?.close();
  }
}

const isTouched: Proof = ({ kind }) => kind === 'leak' || kind === 'bait-read';

describe('a watched sample server', () => {
  const arena = new Arena();
  const made: string[] = [];
  beforeAll(() => arena.open(backend));
  beforeEach((context) => arena.need(backend, context));
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  afterAll(async () => {
    await arena.close();
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  async function watch(policy: Policy, visits: (watch: Watch) => Promise<unknown>): Promise<readonly Event[]> {
    const folder = mkdtempSync('/tmp/hotcell-sample-');
    made.push(folder);
    const watching = new Watch();
    await watching.open(policy, arena, folder);
    try {
      await visits(watching);
    } finally {
      await watching.close();
    }
    return watching.events;
  }

  it.each([
    { id: 'ssh-key-on-start', proof: leak('collect.example:443', 'base64') },
    { id: 'ssh-key-by-dns', proof: leak('name lookup.example', 'hex') },
    {
      id: 'shell-injection',
      proof: executed('/usr/bin/printf', 'marker'),
    },
  ])('$id is seen, its twin does nothing of it', async ({ id, proof }) => {
    const [hostile, twin] = [sampleOf(id), sampleOf(`${id}-twin`)];
    const seen = await watch(policyOf(hostile, 'fake'), (cell) => cell.visit(hostile, commandOf(hostile), proof));
    expect(seen.some(proof)).toBe(true);
    const clean = await watch(policyOf(twin, 'fake'), (cell) => cell.visit(twin, commandOf(twin), null));
    expect(clean.filter((event) => proof(event) || isTouched(event))).toEqual([]);
  });

  const actors = [
    { id: 'ssh-key-on-tenth-call', isDone: asked('gather.example'), proof: leak('gather.example:443', 'base64') },
    { id: 'aws-key-for-cursor', isDone: asked('harvest.example'), proof: leak('harvest.example:443', 'hex') },
    { id: 'key-in-gzip-header', isDone: asked('weather.example'), proof: leak('weather.example:443', 'gzip') },
    { id: 'sends-environment', isDone: asked('telemetry.example'), proof: leak('telemetry.example:443', null) },
    { id: 'only-without-ci', isDone: asked('quiet.example'), proof: leak('quiet.example:443', 'base64') },
    { id: 'sleeping-beacon', isDone: asked('beacon.example'), proof: leak('beacon.example:443', 'base64') },
    { id: 'time-bomb', isDone: asked('later.example'), proof: leak('later.example:443', 'base64') },
    { id: 'unpacks-payload', isDone: asked('stage.example'), proof: asked('stage.example') },
    { id: 'ssrf', isDone: asked('169.254.169.254'), proof: asked('169.254.169.254') },
    { id: 'leaves-daemon', isDone: null, proof: executed('sleep', '120') },
  ];
  const pairs = actors.map((actor) => ({ ...actor, hostile: sampleOf(actor.id), twin: sampleOf(`${actor.id}-twin`) }));

  /** The clock of a Python sample is moved by whoever starts it. */
  function commandAt(sample: SampleServer): readonly string[] {
    const { clockDays } = sample.needs;
    if (clockDays === undefined) return commandOf(sample);
    const move = `import time, runpy; now = time.time; time.time = lambda: now() + ${clockDays} * 86400`;
    return ['/usr/bin/env', 'python3', '-c', `${move}; runpy.run_path('server.py', run_name='__main__')`];
  }

  function policyOfAll(all: readonly SampleServer[]): Policy {
    const [first, ...others] = all.map((sample) => policyOf(sample, 'fake'));
    if (first === undefined) throw new Error('no samples');
    const known = new Set(first.files.map(({ path }) => path));
    const more = others.flatMap(({ files }) => files).filter(({ path }) => !known.has(path));
    return { ...first, files: [...first.files, ...more] };
  }

  it('does its own, each beside the others', async () => {
    const events = await watch(policyOfAll(pairs.map(({ hostile }) => hostile)), (cell) =>
      Promise.all(pairs.map(({ hostile, isDone }) => cell.visit(hostile, commandAt(hostile), isDone))),
    );
    expect(pairs.filter(({ proof }) => !events.some(proof)).map(({ id }) => id)).toEqual([]);
  });

  it('and its twin does nothing of the kind', async () => {
    const events = await watch(policyOfAll(pairs.map(({ twin }) => twin)), (cell) =>
      Promise.all(pairs.map(({ twin }) => cell.visit(twin, commandAt(twin), null))),
    );
    expect(pairs.filter(({ proof }) => events.some(proof)).map(({ id }) => id)).toEqual([]);
    expect(events.filter(isTouched)).toEqual([]);
    expect(events.filter(({ kind }) => kind === 'exec').length).toBeGreaterThanOrEqual(pairs.length);
  });
});
