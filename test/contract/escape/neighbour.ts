import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '../../../src/base/limits.ts';
import { type Box, type CreateBoxOptions, createBox } from '../../../src/engine/box/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { programOf } from './attempt.ts';
import { findProcesses } from './host/witness.ts';

/** A second box beside the one under test, with a secret of its own. */
export interface Neighbour {
  readonly parameters: Readonly<Record<string, string>>;
  readonly secret: Buffer;
  /** What reached it since the last call. */
  takeVisits(): readonly string[];
  close(): Promise<void>;
}

const endMs = 5000;

/** The process in the box as the host numbers it; for gVisor the one that holds the whole box. */
function hostPid(...marks: readonly string[]): string {
  return String(marks.flatMap((mark) => findProcesses(mark).slice(-1))[0] ?? 0);
}

async function start(box: Box): Promise<Neighbour> {
  const secret = randomBytes(24).toString('hex');
  const nonce = randomBytes(6).toString('hex');
  const parameters = {
    neighbourTmp: box.folders.tmp,
    neighbourKey: String(randomBytes(4).readUInt32LE() & 0x7fff_ffff),
    neighbourAbstract: `hotcell-neighbour-${nonce}`,
  };
  const program = join(box.folders.work, 'neighbour.pl');
  await box.put(program, programOf(join(import.meta.dirname, 'neighbour.pl')));
  const list = Object.entries({ ...parameters, tmp: box.folders.tmp }).map(([key, value]) => `${key}=${value}`);
  const child = await box.spawn(['/usr/bin/perl', program, ...list]);
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString('latin1')}`.slice(-500);
  });
  const reader = createInterface({ input: child.stdout });
  await Promise.race([
    new Promise<void>((resolve) => {
      reader.on('line', (line) => (line.startsWith('ready ') ? resolve() : lines.push(line)));
      child.stdin.write(`${secret}\n`);
    }),
    child.exited.then(() => {
      throw new Error(`the neighbour ended before it was ready: ${errors}`);
    }),
  ]);
  return {
    parameters: { ...parameters, neighbour: hostPid(nonce, box.record.id) },
    secret: Buffer.from(secret),
    takeVisits: () => lines.splice(0).map((line) => `the other box was reached: ${line}`),
    async close() {
      // It takes its shared memory along when it may end by itself.
      child.stdin.end();
      await Promise.race([child.exited, sleep(endMs, null, { ref: false })]);
      await box.close();
    },
  };
}

export async function startNeighbour(options: CreateBoxOptions): Promise<Neighbour> {
  const policy = tierPolicy('LOW');
  const box = await createBox({ ...policy, limits: { ...policy.limits, wallMs: 30 * minuteMs } }, options);
  try {
    return await start(box);
  } catch (error) {
    await box.close();
    throw error;
  }
}
