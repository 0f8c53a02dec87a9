import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Completeness, Event } from '../../../src/base/event-schema.ts';
import type { Policy } from '../../../src/base/policy-schema.ts';
import { type BackendId, type BoxHooks, createBox, type ExitStatus } from '../../../src/engine/box/index.ts';
import { HeartCount } from '../../../src/engine/cell/heart-count.ts';
import type { SystemCallSensor } from '../../../src/engine/sensor/contract.ts';

/** One of our programs in a box with a sensor on it, and nothing else: no decoys, no network. */

const programs = new URL('./actions/', import.meta.url);
const interpreter = '/usr/bin/perl';

export interface Watched {
  readonly status: ExitStatus;
  readonly output: string;
  readonly scratch: string;
  readonly heart: HeartCount;
  readonly completeness: Completeness;
}

export interface WatchOptions {
  readonly sensor: SystemCallSensor;
  readonly backend: BackendId;
  readonly policy: Policy;
  readonly options: { readonly runtimeFolder: string; readonly dockerSocket: string };
  readonly program: 'sixty.pl' | 'storm.pl';
  readonly words?: readonly string[];
  readonly onEvent: (event: Event, scratch: string) => void;
  /** How long the reader takes over each batch. */
  readonly slowMs?: number;
}

export async function watchProgram(options: WatchOptions): Promise<Watched> {
  const { sensor, onEvent, slowMs = 0 } = options;
  const folder = mkdtempSync('/tmp/hotcell-sensor-');
  const heart = new HeartCount();
  let scratch = '';
  let seq = 0;
  let completeness: Completeness | null = null;
  try {
    const open = await sensor.open({
      folder,
      async onSightings(sightings) {
        for (const sighting of sightings) {
          heart.note(sighting);
          onEvent({ ...sighting, seq, run: 'contract', phase: 'use', source: sensor.id }, scratch);
          seq += 1;
        }
        if (slowMs > 0) await delay(slowMs);
      },
    });
    const ran = await run(options, open.hooks, heart, (path) => {
      scratch = path;
    }).finally(async () => {
      completeness = await open.close();
    });
    if (completeness === null) throw new Error('the sensor said nothing at its end');
    return { ...ran, scratch, heart, completeness };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(
  { backend, policy, program, words = [], options }: WatchOptions,
  hooks: BoxHooks,
  heart: HeartCount,
  tellScratch: (path: string) => void,
): Promise<Pick<Watched, 'status' | 'output'>> {
  await using box = await createBox(policy, { ...options, backend, hooks });
  const scratch = `${box.folders.tmp}/scratch`;
  tellScratch(scratch);
  const inside = `${box.folders.work}/${program}`;
  await box.put(inside, readFileSync(new URL(program, programs)));
  const start = 'mkdir $ARGV[0]; exec { $ARGV[1] } @ARGV[1 .. $#ARGV]';
  const child = await box.spawn([interpreter, '-e', start, scratch, interpreter, inside, scratch, ...words]);
  heart.expected += 1;
  child.stdin.end();
  const [status, output, errors] = await Promise.all([child.exited, text(child.stdout), text(child.stderr)]);
  if (status.code !== 0) throw new Error(`${program} ended with ${status.code ?? status.signal}: ${errors}`);
  return { status, output };
}
