import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { fingerprintPolicy } from '../../../engine/policy/index.ts';
import type { PreparedServer } from '../contract.ts';
import { prepareServer } from '../launch/index.ts';
import type { Replay, ReplayOptions, RunReport, SeenStop } from './contract.ts';
import { fillInAll } from './fill-in.ts';
import { asOutcome, judgeGuarded, judgeOpen } from './judge.ts';
import { learnHonest } from './learn-policy.ts';
import { openPolicy } from './open-policy.ts';
import { findStop } from './policy-lines.ts';
import type { Attack } from './read-attacks.ts';
import { type ReleaseEnd, type ReleaseRun, runRelease } from './run-release.ts';
import { plantWorld, type World } from './world.ts';

/** Fires one known attack: at the vulnerable release, at the fixed one, and at the vulnerable one under a policy. */

const helloMs = 30 * secondMs;
const callMs = 30 * secondMs;

function launchOf({ package: { ecosystem, name }, with: held }: Attack, version: string): readonly string[] {
  if (ecosystem === 'npm') return ['npx', '-y', `${name}@${version}`];
  return ['uvx', ...held.flatMap((each) => ['--with', each]), '--from', `${name}==${version}`, name];
}

interface Stage {
  readonly attack: Attack;
  readonly world: World;
  readonly options: ReplayOptions;
  readonly signal: AbortSignal;
  readonly notes: string[];
}

async function prepare(version: string, { attack, options, signal }: Stage): Promise<PreparedServer> {
  options.onProgress?.(`${attack.package.name} ${version}: install`);
  const make = options.prepareServer ?? prepareServer;
  return make(launchOf(attack, version), { ...options.prepare, signal });
}

function runOf(
  stage: Stage,
  part: Pick<ReleaseRun, 'version' | 'server' | 'policy' | 'does'> & { readonly name: string },
): ReleaseRun {
  const { attack, world, options } = stage;
  const { backend, runtimeFolder, dockerSocket } = options.prepare.box;
  const { name, ...rest } = part;
  options.onProgress?.(`${attack.package.name} ${part.version}: ${name}`);
  stage.signal.throwIfAborted();
  return {
    ...rest,
    attack,
    world,
    setup: openPolicy(part.server, world.world, false),
    box: {
      backend,
      runtimeFolder,
      ...(dockerSocket === undefined ? {} : { dockerSocket }),
      folder: join(options.folder, name),
      helloMs,
      callMs,
    },
  };
}

async function runOpen(stage: Stage, version: string, server: PreparedServer, name: string): Promise<ReleaseEnd> {
  const policy = openPolicy(server, stage.world.world, stage.attack.internet.length > 0);
  return runRelease(runOf(stage, { version, server, policy, does: ['honest', 'proof'], name }));
}

/** The policy as it is to be kept: what was given or learnt, with what the server cannot start without. */
async function policyFor(stage: Stage, server: PreparedServer, open: ReleaseEnd): Promise<Policy> {
  const { attack, options } = stage;
  if (options.policy.is === 'given') {
    const { policy } = options.policy;
    const grants = attack.grants.map((rule) => ({ ...rule, why: 'what the server is for' }));
    return { ...policy, files: [...policy.files, ...grants, ...server.files] };
  }
  if (!open.isWatched) {
    throw new HostError(`nothing can be learnt in a box of ${open.report.backend}: nobody sees what is done in it`, {
      hint: '--backend bwrap, or --policy FILE',
    });
  }
  const learnt = await learnHonest(open.events, server, {
    name: `learnt ${attack.package.name}`,
    folders: open.folders,
    variables: Object.keys(attack.environment),
    tools: attack.honest.map(({ tool }) => tool),
    limits: openPolicy(server, stage.world.world, false).limits,
  });
  return { ...learnt, files: [...learnt.files, ...server.files] };
}

interface Guarded {
  readonly report: RunReport;
  readonly policy: Policy;
  readonly stopped: SeenStop | null;
}

/**
 * Hosts that a policy allows are really there, and nobody here calls them: for the honest task an internet that is not
 * there plays them. An attack on a host meets the gate itself, and so does everything else that has no network.
 */
async function runGuarded(stage: Stage, server: PreparedServer, open: ReleaseEnd): Promise<Guarded> {
  const { attack, notes } = stage;
  const policy = await policyFor(stage, server, open);
  const version = attack.vulnerable;
  const isPlayed = attack.internet.length > 0 && policy.network.mode === 'allowlist';
  const played: Policy = isPlayed ? { ...policy, network: { mode: 'fake', rules: [] } } : policy;
  if (isPlayed) notes.push('a fake internet plays the hosts that the policy allows');
  const isHost = attack.reaches.is === 'host';
  const does = isPlayed && isHost ? (['honest'] as const) : (['honest', 'proof'] as const);
  const end = await runRelease(runOf(stage, { version, server, policy: played, does, name: 'guarded' }));
  const { report } = end;
  const attacked =
    does.length > 1
      ? end
      : await runRelease(runOf(stage, { version, server, policy, does: ['proof'], name: 'guarded-attack' }));
  const { isHit, answer } = attacked.report;
  const durationMs = report.durationMs + (attacked === end ? 0 : attacked.report.durationMs);
  const stop = findStop(policy, attack.reaches);
  const stopped = stop === null ? null : { ...stop, wasTried: attacked.wasTried };
  return { report: { ...report, isHit, answer, durationMs }, policy, stopped };
}

async function perform(stage: Stage): Promise<Omit<Replay, 'attack' | 'durationMs' | 'notes'>> {
  const { attack, options, notes } = stage;
  const server = await prepare(attack.vulnerable, stage);
  const open = await runOpen(stage, attack.vulnerable, server, 'vulnerable');
  const empty = { vulnerable: open.report, fixed: null, guarded: null, stopped: null, policy: null };
  const shown = judgeOpen(attack, open.report);
  if (shown.verdict !== 'vulnerable') return { ...empty, ...shown };
  let fixed: RunReport | null = null;
  if (attack.fixed !== null) {
    fixed = (await runOpen(stage, attack.fixed, await prepare(attack.fixed, stage), 'fixed')).report;
    if (fixed.isHit) notes.push(`${attack.fixed} is called fixed and is not`);
    else if (!fixed.honest.works) notes.push(`${attack.fixed} does not do the honest task: ${fixed.honest.problem}`);
  }
  if (options.policy.is === 'none') return { ...empty, ...shown, fixed };
  const guarded = await runGuarded(stage, server, open);
  const { policy, report, stopped } = guarded;
  const outcome = judgeGuarded(guarded, open.report);
  return {
    ...empty,
    ...outcome,
    fixed,
    guarded: report,
    stopped: outcome.verdict === 'blocked' ? stopped : null,
    policy: { policy, fingerprint: fingerprintPolicy(policy) },
  };
}

export async function replayAttack(given: Attack, options: ReplayOptions): Promise<Replay> {
  const began = performance.now();
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const world = await plantWorld(given);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  const stage = { attack: fillInAll(given, world), world, options, signal, notes: [] };
  const nothing = { vulnerable: null, fixed: null, guarded: null, stopped: null, policy: null };
  try {
    const performed = await perform(stage).catch((error: unknown) => ({ ...nothing, ...asOutcome(error, signal) }));
    const durationMs = Math.round(performance.now() - began);
    const replay: Replay = { attack: given, ...performed, notes: stage.notes, durationMs };
    await tell(replay, options);
    return replay;
  } finally {
    await world.close();
  }
}

async function tell({ attack, verdict, says, stopped, policy, fixed }: Replay, options: ReplayOptions): Promise<void> {
  await options.ledger.append({
    instrument: 'guard',
    action: 'attack.replay',
    verdict: verdict === 'blocked' ? 'refused' : 'noted',
    session: options.session,
    server: `${attack.package.ecosystem}:${attack.package.name}`,
    ...(policy === null ? {} : { policy: policy.fingerprint }),
    ...(stopped === null ? {} : { rule: stopped.line?.path ?? 'no line allows it' }),
    details: {
      attack: attack.id,
      version: attack.vulnerable,
      verdict,
      says: stopped?.says ?? says,
      ...(fixed === null ? {} : { fixed: fixed.version, isFixedHit: fixed.isHit }),
    },
  });
}
