import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../src/base/event-schema.ts';
import type { Policy } from '../../../src/base/policy-schema.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import {
  causeOfLater,
  clockVariableNames,
  clockVariables,
  compareListings,
  echoesOf,
  findVariant,
  firstVariant,
  isolate,
  laterListings,
  listingFindings,
  type Variant,
  variantEnvironment,
  variantVariables,
} from '../../../src/instruments/analyze/interrogate/listings/index.ts';
import type { Listing } from '../../../src/targets/conversation/contract.ts';
import { openStdioConversation } from '../../../src/targets/conversation/index.ts';
import {
  commandOf,
  folderOf,
  policyOf,
  preparedFolder,
  readSampleServers,
  type SampleServer,
} from '../../samples/servers/sample-servers.ts';
import { Arena } from '../box/arena.ts';

/** A server that behaves only under some circumstances is brought to show it, and its twin shows nothing. */

const folder = mkdtempSync('/tmp/hotcell-circumstances-');
const samples = readSampleServers();
const leakTimeoutMs = 20_000;
const clock = clockVariables(30);

function sampleOf(id: string): SampleServer {
  const sample = samples.find((each) => each.id === id);
  if (sample === undefined) throw new Error(`no sample is called ${id}`);
  return sample;
}

function variantOf(id: string): Variant {
  const variant = findVariant(id);
  if (variant === null) throw new Error(`no variant is called ${id}`);
  return variant;
}

function withVariables(policy: Policy): Policy {
  const known = new Set(policy.environment.map(({ name }) => name));
  const names = [...clockVariableNames, ...variantVariables].filter((name) => !known.has(name));
  return { ...policy, environment: [...policy.environment, ...names.map((name) => ({ name }))] };
}

function environmentOf(variant: Variant): Readonly<Record<string, string>> {
  const moved = clockVariables(variant.clockDays);
  if (moved.is !== 'yes') throw new Error(`the clock cannot be moved: ${moved.is}`);
  return variantEnvironment(variant, moved.value);
}

interface Asked {
  /** The first, and those after so many calls. */
  readonly listings: ReadonlyMap<number, Listing>;
  readonly leaks: readonly Event[];
}

interface Wish {
  readonly variant: Variant;
  readonly calls: number;
  readonly waitsForLeak: boolean;
}

let cells = 0;

async function ask(sample: SampleServer, arena: Arena, { variant, calls, waitsForLeak }: Wish): Promise<Asked> {
  const leaks: Event[] = [];
  const { promise: leaked, resolve } = Promise.withResolvers<void>();
  cells += 1;
  const cell = await Cell.open(withVariables(policyOf(sample, 'fake')), {
    ...arena.options,
    backend: 'bwrap',
    folder: join(folder, `${sample.id}-${cells}`),
    onEvents: (events) => {
      leaks.push(...events.filter(({ kind }) => kind === 'leak'));
      if (leaks.length > 0) resolve();
    },
  });
  const listings = new Map<number, Listing>();
  try {
    const environment = environmentOf(variant);
    const child = await cell.spawn(commandOf(sample), { cwd: folderOf(sample), environment });
    child.stderr.resume();
    const { stdin, stdout } = child;
    const { identity } = variant;
    const conversation = openStdioConversation({ stdin, stdout, tap: cell.tap() }, { identity });
    await conversation.handshake();
    await cell.enter('list');
    listings.set(-1, await conversation.list());
    for (let made = 0; made <= calls; made += 1) {
      if (laterListings.some(({ afterCalls }) => afterCalls === made)) listings.set(made, await conversation.list());
      const { tool, example } = sample.trigger;
      const [other] = listings.get(-1)?.tools ?? [];
      if (made < calls) await conversation.call(tool ?? other?.name ?? 'none', example);
    }
    if (waitsForLeak) {
      const timer = setTimeout(resolve, leakTimeoutMs);
      await leaked;
      clearTimeout(timer);
    }
    await conversation.close();
  } finally {
    await cell.close();
  }
  return { listings, leaks };
}

describe('circumstances', () => {
  const arena = new Arena();
  beforeEach(async (context) => {
    await arena.need('bwrap', context);
    if (clock.is !== 'yes') context.skip('no library that moves the clock is installed');
  });
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it.each([
    { id: 'aws-key-for-cursor', shows: 'client-cursor+clock-30', hides: 'first', because: 'client-cursor' },
    { id: 'time-bomb', shows: 'client-cursor+clock-30', hides: 'first', because: 'clock-30' },
    { id: 'only-without-ci', shows: 'first', hides: 'client-unknown+clock-3+ci', because: null },
  ])(
    '$id leaks when asked $shows and not when asked $hides',
    async ({ id, shows, hides, because }) => {
      const sample = sampleOf(id);
      const twin = sampleOf(sample.twin);
      const variant = variantOf(shows);
      const wish = { variant, calls: 1, waitsForLeak: true };
      const shown = await ask(sample, arena, wish);
      expect(shown.leaks.length).toBeGreaterThan(0);
      const hidden = await ask(sample, arena, { variant: variantOf(hides), calls: 1, waitsForLeak: false });
      expect(hidden.leaks).toEqual([]);
      // What it offers is the same for everyone: only what it does is not.
      const [first, second] = [shown.listings.get(-1), hidden.listings.get(-1)];
      if (first === undefined || second === undefined) throw new Error('nothing was listed');
      expect(first.tools.length).toBeGreaterThan(0);
      expect(compareListings(first, second, { echoes: echoesOf(variant) }).isSame).toBe(true);
      for (const single of isolate(variant)) {
        const alone = await ask(sample, arena, { variant: single, calls: 1, waitsForLeak: single.id === because });
        expect([single.id, alone.leaks.length > 0]).toEqual([single.id, single.id === because]);
      }
      const honest = await ask(twin, arena, { ...wish, waitsForLeak: false });
      expect(honest.leaks).toEqual([]);
      expect(honest.listings.get(-1)?.tools.length).toBeGreaterThan(0);
    },
    240_000,
  );

  it.each([
    { id: 'rug-pull-after-calls', from: 'after-20-calls', rule: 'behaviour/listing-changes' },
    { id: 'rug-pull-second-listing', from: 'second-listing', rule: 'behaviour/listing-grows' },
  ])('$id is told by its listing ($from), and its twin by none', async ({ id, from, rule }) => {
    const sample = sampleOf(id);
    const wish = { variant: firstVariant, calls: 20, waitsForLeak: false };
    const differing = async (each: SampleServer): Promise<readonly (readonly [string, string, string, string])[]> => {
      const { listings } = await ask(each, arena, wish);
      const first = listings.get(-1);
      expect(listings.size).toBe(4);
      return laterListings.flatMap((later) => {
        const now = listings.get(later.afterCalls);
        if (first === undefined || now === undefined) throw new Error(`no listing ${later.id}`);
        const compared = { ...later, difference: compareListings(first, now) };
        const findings = listingFindings([compared], causeOfLater(later, false));
        return findings.map((found) => [later.id, found.rule, found.severity, found.evidenceClass] as const);
      });
    };
    const [earliest] = await differing(sample);
    expect(earliest).toEqual([from, rule, 'high', 'B']);
    expect(await differing(sampleOf(sample.twin))).toEqual([]);
  });
});

const nodeProgram = `
const from = performance.now();
require('node:fs').writeFileSync(process.env.HOME + '/made', 'x');
const made = require('node:fs').statSync(process.env.HOME + '/made').mtimeMs;
setTimeout(async () => {
  const answer = await fetch('https://moved.example/').then(({ status }) => status, (error) => String(error.cause));
  console.log(JSON.stringify({ now: Date.now(), timer: performance.now() - from, answer, made }));
}, 300);
`;

const pythonProgram = `
import json, os, time, threading, urllib.request, urllib.error
begin = time.monotonic()
open(os.environ['HOME'] + '/made', 'w').write('x')
made = os.stat(os.environ['HOME'] + '/made').st_mtime * 1000
time.sleep(0.2)
threading.Event().wait(0.1)
timer = (time.monotonic() - begin) * 1000
try:
    answer = urllib.request.urlopen('https://moved.example/', timeout=10).status
except urllib.error.HTTPError as error:
    answer = error.code
except Exception as error:
    answer = str(error)
print(json.dumps({'now': time.time() * 1000, 'timer': timer, 'answer': answer, 'made': made}))
`;

describe.each(['bwrap', 'gvisor'] as const)('a moved clock in a cell (%s)', (backend) => {
  const arena = new Arena();
  beforeEach(async (context) => {
    await arena.need(backend, context);
    if (clock.is !== 'yes') context.skip('no library that moves the clock is installed');
  });
  afterAll(() => arena.close());

  it.each([
    { language: 'node', argv: ['/usr/bin/env', 'node', '-e', nodeProgram] },
    { language: 'python3', argv: ['/usr/bin/env', 'python3', '-c', pythonProgram] },
  ])('$language sees another day, its timers run as ever, and TLS works', async ({ language, argv }) => {
    const policy = withVariables(policyOf(sampleOf('time-bomb'), 'fake'));
    const cell = await Cell.open(policy, {
      ...arena.options,
      backend,
      folder: join(folder, `${backend}-${language}`),
    });
    try {
      // One after the other in one cell, as a run does it.
      for (const days of [0, 30]) {
        const environment = days > 0 && clock.is === 'yes' ? clock.value : {};
        const child = await cell.spawn(argv, { environment });
        child.stdin.end();
        const [out, problems] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
        expect(Buffer.concat(problems).toString()).toBe('');
        const seen = JSON.parse(Buffer.concat(out).toString());
        const dayMs = 24 * 60 * 60 * 1000;
        expect(Math.abs(seen.now - Date.now() - days * dayMs)).toBeLessThan(dayMs);
        // A monotonic clock that jumps would make this days.
        expect(seen.timer).toBeGreaterThan(250);
        expect(seen.timer).toBeLessThan(dayMs);
        expect(Math.abs(seen.made - Date.now())).toBeLessThan(dayMs);
        expect(seen.answer).toBeTypeOf('number');
      }
    } finally {
      await cell.close();
    }
  });
});
