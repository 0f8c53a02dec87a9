import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { type Completeness, type Event, isComplete } from '../../../src/base/event-schema.ts';
import type { Policy } from '../../../src/base/policy-schema.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import type { Sighting, SystemCallSensor } from '../../../src/engine/sensor/contract.ts';
import {
  adoptingHooks,
  compareWitnesses,
  DeedTally,
  EbpfWitness,
  probeEbpf,
} from '../../../src/engine/sensor/ebpf/index.ts';
import { seccompNotify } from '../../../src/engine/sensor/seccomp-notify/index.ts';
import { numberOf } from '../../../src/engine/sensor/seccomp-notify/numbers.ts';
import { Arena } from '../box/arena.ts';
import { deniedCalls } from './expect/sight.ts';
import { sixtyActions } from './expect/sixty.ts';
import { type WatchOptions, watchProgram } from './watched-box.ts';

/** The second witness sees what the first one does, what came of it, and what was refused. */

const testMs = 120_000;

async function needWitness(context: TestContext): Promise<void> {
  const probed = await probeEbpf();
  if (probed.is !== 'yes') context.skip(probed.is === 'not-available' ? probed.because : 'no second witness here');
}

interface Witnessed {
  readonly scratch: string;
  readonly main: readonly Event[];
  readonly second: readonly Sighting[];
  readonly completeness: Completeness;
  readonly disagreements: readonly string[];
}

type Wanted = Pick<WatchOptions, 'backend' | 'policy' | 'options' | 'program' | 'words'>;

/** One program under the eyes of both. */
async function witnessProgram(wanted: Wanted): Promise<Witnessed> {
  const main: Event[] = [];
  const second: Sighting[] = [];
  const tallies = { main: new DeedTally(), second: new DeedTally() };
  await using witness = await EbpfWitness.start({
    onSightings: (sightings) => {
      for (const sighting of sightings) {
        second.push(sighting);
        tallies.second.note(sighting);
      }
    },
  });
  const sensor: SystemCallSensor = {
    ...seccompNotify,
    open: async (options) => {
      const open = await seccompNotify.open(options);
      return { hooks: adoptingHooks(open.hooks, (airlock) => witness.adopt(airlock)), close: () => open.close() };
    },
  };
  const { scratch } = await watchProgram({
    ...wanted,
    sensor,
    onEvent: (event) => {
      main.push(event);
      tallies.main.note(event);
    },
  });
  const completeness = await witness.close();
  const disagreements = compareWitnesses(tallies.main.counts, tallies.second.counts);
  return { scratch, main, second, completeness, disagreements };
}

function latin1(field: unknown): string {
  const { text, base64 } = (field ?? {}) as { text?: string; base64?: string };
  return text === undefined
    ? Buffer.from(base64 ?? '', 'base64').toString('latin1')
    : Buffer.from(text).toString('latin1');
}

/** The witness has a path as it was given, the sensor as it is meant. */
function isSamePath(given: string, meant: string, isCut: boolean): boolean {
  if (isCut) return meant.startsWith(given);
  if (given.startsWith('/')) return posix.normalize(given) === posix.normalize(meant);
  return posix.normalize(`/${meant}`).endsWith(posix.normalize(`/${given}`));
}

/** By process and kind, in order. */
function rowsOf(events: readonly Pick<Event, 'kind' | 'process' | 'fields' | 'outcome' | 'truncated'>[]) {
  const kinds = ['exec', 'exit', 'open', 'unlink', 'rename', 'connect', 'heartbeat'];
  return Map.groupBy(
    events.filter(({ kind, outcome }) => kinds.includes(kind) && (kind !== 'exec' || outcome === 'ok')),
    ({ kind, process }) => `${kind} by ${process?.pid}`,
  );
}

function compareRows({ main, second }: Witnessed): readonly string[] {
  const seen = rowsOf(second);
  return [...rowsOf(main)].flatMap(([row, events]) => {
    const others = seen.get(row) ?? [];
    if (others.length !== events.length) return [`${row}: ${events.length} and ${others.length}`];
    return events.flatMap(({ fields }, at) => {
      const other = others[at];
      const wrong = Object.entries(other?.fields ?? {}).filter(([name, value]) => {
        const isText = typeof value === 'object' && value !== null;
        if (!isText) return value !== fields[name];
        return !isSamePath(latin1(value), latin1(fields[name]), other?.truncated?.includes(name) ?? false);
      });
      return wrong.map(([name]) => `${row}, number ${at}: ${name} differs: ${JSON.stringify([fields, other?.fields])}`);
    });
  });
}

describe.each(['bwrap', 'runc', 'landlock', 'docker'] as const)('the second witness of a %s box', (backend) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  afterAll(() => arena.close());

  it.for(['LOW', 'CRITICAL'] as const)(
    'sees what the first sees under %s, and what was refused',
    { timeout: testMs },
    async (tier, context) => {
      await needWitness(context);
      await arena.need(backend, context);
      const policy = tierPolicy(tier);
      const witnessed = await witnessProgram({ backend, policy, options: arena.options, program: 'sixty.pl' });
      expect(rowsOf(witnessed.main).size).toBeGreaterThan(40);
      expect(compareRows(witnessed)).toEqual([]);
      expect(witnessed.disagreements).toEqual([]);
      expect(isComplete(witnessed.completeness)).toBe(true);
      expect(witnessed.completeness.truncated).toBeGreaterThanOrEqual(2);
      expect(witnessed.completeness.heartbeats.seen).toBe(2);

      const refused = deniedCalls(policy, backend);
      const tried = sixtyActions(witnessed.scratch).expectations.filter(({ call }) => refused.has(call));
      const told = witnessed.second.filter(({ kind }) => kind === 'denied').map(({ fields }) => fields.call);
      expect(tried.length).toBeGreaterThan(0);
      expect(told).toEqual(expect.arrayContaining([...new Set(tried.map(({ call }) => call))]));
      expect(witnessed.main.some(({ kind }) => kind === 'denied')).toBe(false);

      const secret = witnessed.second.find(
        ({ kind, fields }) => kind === 'open' && latin1(fields.path) === '/etc/shadow',
      );
      expect(['denied', 'failed']).toContain(secret?.outcome);
    },
  );
});

describe('the second witness', () => {
  const arena = new Arena();
  beforeAll(() => arena.open('bwrap'));
  afterAll(() => arena.close());

  it(
    'loses nothing of 20,000 opens, 200 execs and 200 connects',
    async (context) => {
      await needWitness(context);
      await arena.need('bwrap', context);
      const high = tierPolicy('HIGH');
      const policy: Policy = {
        ...high,
        network: { mode: 'none', rules: [] },
        limits: { ...high.limits, wallMs: testMs },
      };
      const words = ['20000', '200', '200'];
      const { scratch, second, completeness, disagreements } = await witnessProgram({
        backend: 'bwrap',
        policy,
        options: arena.options,
        program: 'storm.pl',
        words,
      });
      const opens = second.filter(({ kind }) => kind === 'open').map(({ fields }) => latin1(fields.path));
      const numbers = opens
        .filter((path) => path.startsWith(`${scratch}/storm-`))
        .map((path) => path.split('-').at(-1));
      expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, at) => String(at)));
      const connects = second.filter(
        ({ kind, fields }) => kind === 'connect' && String(fields.address).startsWith('127.77.'),
      );
      expect(connects).toHaveLength(200);
      expect(second.filter(({ kind, outcome }) => kind === 'exec' && outcome === 'ok').length).toBeGreaterThanOrEqual(
        200,
      );
      expect(disagreements).toEqual([]);
      expect(completeness).toMatchObject({ attachedBeforeExec: true, dropped: 0, missingPoints: [] });
    },
    testMs,
  );

  it(
    'stands beside the sensor of a cell, and tells only of what was refused',
    async (context) => {
      await needWitness(context);
      await arena.need('bwrap', context);
      const folder = mkdtempSync('/tmp/hotcell-witness-');
      try {
        const events: Event[] = [];
        const cell = await Cell.open(tierPolicy('LOW'), {
          ...arena.options,
          folder,
          backend: 'bwrap',
          decoys: null,
          witness: true,
          onEvents: (batch) => void events.push(...batch),
        });
        const program = `syscall(${numberOf('unshare')}, 0); open F, '<', '/etc/hostname'; system '/usr/bin/true'`;
        const child = await cell.spawn(['/usr/bin/perl', '-e', program]);
        child.stdin.end();
        child.stdout.resume();
        child.stderr.resume();
        await child.exited;
        await cell.enter('idle');
        const report = await cell.close();
        const told = events.filter(({ source }) => source === 'ebpf');
        expect(told.map(({ kind, fields, outcome }) => ({ kind, fields, outcome }))).toEqual([
          { kind: 'denied', fields: { call: 'unshare' }, outcome: 'denied' },
        ]);
        const witness = report.sensors.find(({ source }) => source === 'ebpf');
        expect(witness).toMatchObject({ attachedBeforeExec: true, dropped: 0, missingPoints: [] });
        expect(witness?.received).toBeGreaterThan(10);
        expect(report.isComplete).toBe(true);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    testMs,
  );

  it(
    'looks at its own box when there are two',
    async (context) => {
      await needWitness(context);
      const seen: Sighting[][] = [[], []];
      const start = (list: Sighting[]) =>
        EbpfWitness.start({ onSightings: (sightings) => void list.push(...sightings) });
      const witnesses = await Promise.all(seen.map(start));
      try {
        const pids = await Promise.all(
          witnesses.map(async (witness) => {
            const child = spawn('/bin/sh', ['-c', 'read word; /bin/true; exit 3'], {
              stdio: ['pipe', 'ignore', 'ignore'],
            });
            const ended = once(child, 'exit');
            if (child.pid === undefined) throw new Error('no shell');
            await witness.adopt(child.pid);
            child.stdin.end('go\n');
            await ended;
            return child.pid;
          }),
        );
        await Promise.all(witnesses.map((witness) => witness.close()));
        const ends = seen.map((list) => list.filter(({ kind, fields }) => kind === 'exit' && fields.code === 3));
        expect(ends.map((list) => list.map(({ process }) => process?.pid))).toEqual(pids.map((pid) => [pid]));
        expect(seen.map((list) => list.filter(({ kind }) => kind === 'exec').length)).toEqual([1, 1]);
      } finally {
        await Promise.all(witnesses.map((witness) => witness.close()));
      }
    },
    testMs,
  );

  it(
    'can leave out files that were opened, and nothing else',
    async (context) => {
      await needWitness(context);
      const seen: Sighting[] = [];
      await using witness = await EbpfWitness.start({
        skipsOpened: true,
        onSightings: (sightings) => void seen.push(...sightings),
      });
      const child = spawn('/bin/sh', ['-c', 'read word; true < /etc/hostname; true < /no-such-file; /bin/true'], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const ended = once(child, 'exit');
      if (child.pid === undefined) throw new Error('no shell');
      await witness.adopt(child.pid);
      child.stdin.end('go\n');
      await ended;
      await witness.close();
      const opens = seen.filter(({ kind }) => kind === 'open');
      expect(opens.map(({ fields, outcome }) => [latin1(fields.path), outcome])).toContainEqual([
        '/no-such-file',
        'failed',
      ]);
      expect(opens.filter(({ outcome }) => outcome === 'ok')).toEqual([]);
      expect(seen.map(({ kind }) => kind)).toContain('exit');
    },
    testMs,
  );

  it(
    'says when it died',
    async (context) => {
      await needWitness(context);
      const witness = await EbpfWitness.start({ onSightings: () => undefined });
      if (witness.pid === undefined) throw new Error('it has no process');
      process.kill(witness.pid, 'SIGKILL');
      while (true) {
        try {
          process.kill(witness.pid, 0);
          await delay(10);
        } catch {
          break;
        }
      }
      await expect(witness.adopt(process.ppid)).rejects.toThrow(/second witness/);
      expect((await witness.close()).diedAt).toBeDefined();
    },
    testMs,
  );

  it(
    'refuses a process that is not there, and goes on',
    async (context) => {
      await needWitness(context);
      await using witness = await EbpfWitness.start({ onSightings: () => undefined });
      await expect(witness.adopt(4_194_304)).rejects.toThrow(/cannot be shown/);
      expect(await witness.close()).toMatchObject({ attachedBeforeExec: false, dropped: 0 });
    },
    testMs,
  );
});
