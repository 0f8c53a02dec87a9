import { lstat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError, TargetError } from '../../../base/errors.ts';
import type { Event } from '../../../base/event-schema.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { BoxFolders } from '../../../engine/box/contract.ts';
import type { CallResult } from '../../../targets/conversation/contract.ts';
import type { PreparedServer } from '../contract.ts';
import { type AttackedOptions, AttackedServer, commandOf } from './attacked-server.ts';
import type { RunReport } from './contract.ts';
import type { Attack } from './read-attacks.ts';
import type { World } from './world.ts';

/** The honest task and the proof, at one release under one policy. */

export interface ReleaseRun {
  /** With everything filled in. */
  readonly attack: Attack;
  readonly version: string;
  readonly server: PreparedServer;
  readonly policy: Policy;
  readonly world: World;
  /** Under which the world is laid out; null where it lies there already. */
  readonly setup: Policy | null;
  readonly does: readonly ('honest' | 'proof')[];
  readonly box: AttackedOptions;
}

export interface ReleaseEnd {
  readonly report: RunReport;
  /** Whether a sensor saw the server reach for what the attack wants. */
  readonly wasTried: boolean;
  readonly events: readonly Event[];
  readonly folders: BoxFolders;
  readonly isWatched: boolean;
}

const shownBytes = 400;
/** What a server does after it has answered. */
const lateMs = 400;
const pollMs = 50;

function textOf({ text }: CallResult): string {
  return Buffer.from(text.bytes).toString('utf8');
}

function shown({ outcome, text }: CallResult): string {
  const words = forTerminal(untrusted(text.bytes, shownBytes)).trim();
  return outcome === 'answered' ? words : `${outcome}${words === '' ? '' : `: ${words}`}`;
}

async function isThere(path: string): Promise<boolean> {
  for (let waited = 0; waited <= lateMs; waited += pollMs) {
    if ((await lstat(path).catch(() => null)) !== null) return true;
    await delay(pollMs);
  }
  return false;
}

async function hasSucceeded(succeeds: Attack['succeeds'], result: CallResult): Promise<boolean> {
  if (succeeds.is === 'marker') return isThere(succeeds.path);
  if (succeeds.is === 'answer') return textOf(result).includes(succeeds.text);
  return result.text.bytes.length + result.text.droppedBytes >= succeeds.characters;
}

async function doHonest(server: AttackedServer, { honest }: Attack): Promise<RunReport['honest']> {
  for (const { expects, ...call } of honest) {
    const result = await server.call('use', call);
    if (result.outcome !== 'answered' || !textOf(result).includes(expects)) {
      return { works: false, problem: `${call.tool}: ${shown(result)}` };
    }
  }
  return { works: true, problem: null };
}

/** A link counts for what it leads to: where that is not there, the link is all that can be tried. */
function isTried(events: readonly Event[], { reaches, links }: Attack, { world }: World): boolean {
  const wanted =
    reaches.is === 'file' ? [reaches.path, ...links.map(({ path }) => `${world}/${path}`)] : [reaches.host];
  return events.some(({ phase, kind, fields }) => {
    if (phase !== 'attack' || kind === 'message') return false;
    const text = JSON.stringify(fields);
    return wanted.some((each) => text.includes(each));
  });
}

async function layOut({ attack, world, setup, box }: ReleaseRun): Promise<void> {
  if (setup === null) return;
  await world.reset();
  if (attack.setup.length === 0) return;
  const server = await AttackedServer.open(setup, [], { ...box, folder: `${box.folder}-setup` });
  try {
    for (const argv of attack.setup) await server.run(commandOf(argv, attack.environment));
  } finally {
    await server.close();
  }
  await world.open();
}

export async function runRelease(run: ReleaseRun): Promise<ReleaseEnd> {
  const { attack, version, policy, does } = run;
  await layOut(run);
  const began = performance.now();
  const server = await AttackedServer.open(policy, attack.internet, run.box);
  const { backend, watchedBy } = server.cell.box.record;
  let honest: RunReport['honest'] = { works: false, problem: null };
  let isHit = false;
  let answer = '';
  try {
    await server.start(run.server, attack);
    if (does.includes('honest')) honest = await doHonest(server, attack);
    if (does.includes('proof')) {
      const result = await server.call('attack', attack.proof);
      answer = shown(result);
      isHit = await hasSucceeded(attack.succeeds, result);
    }
  } catch (error) {
    // What the server does wrong is a result of the run.
    if (!(error instanceof TargetError)) throw error;
    honest = { works: false, problem: describeError(error) };
  } finally {
    await server.close();
  }
  const report = { version, backend, honest, isHit, answer, durationMs: Math.round(performance.now() - began) };
  const { events } = server;
  const wasTried = isTried(events, attack, run.world);
  return { report, wasTried, events, folders: server.cell.box.folders, isWatched: watchedBy !== null };
}
