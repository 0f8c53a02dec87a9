import { setTimeout as delay } from 'node:timers/promises';
import type { Event, UntrustedJson } from '../../../../base/event-schema.ts';
import { inputFor, positionsOf, withValue } from '../arguments/index.ts';
import { proposedTrials } from '../model/index.ts';
import {
  allTrials,
  isPlain,
  judgeTrial,
  type NotTried,
  readBudgets,
  readTrialClasses,
  settleVerdicts,
  type Trial,
  type Verdict,
  withinBudget,
} from '../trials/index.ts';
import type { Attack, Crash, Ground, MadeTrial, ProvenTrial, SessionOptions, ToolSession } from './contract.ts';
import type { EventWindow } from './event-window.ts';
import type { Line } from './line.ts';
import { inRounds, placeOf, seemsToWrite } from './order.ts';
import { afterNs, settleMs } from './settling.ts';

/**
 * Trials are made without a pause; what the world shows of each is looked at a little later. Whatever then looks like a
 * hit is tried once more with fresh markers, alone and with time to settle, so that its events are its own.
 */

const trialTimeoutMs = 5000;
const mostTimeouts = 2;

/** Markers that no other trial can have set: such a hit stands although it does not happen twice. */
const ownMarkers: readonly Verdict['oracle'][] = [
  'exec-marker',
  'file-marker',
  'canary-in-result',
  'computed',
  'sql-altered',
];

/** Files that came to be. */
export function createdPaths(events: readonly Event[]): readonly string[] {
  return events.flatMap(({ kind, fields }) => {
    const field = (kind === 'open' && fields.creates === true ? fields.path : undefined) as UntrustedJson | undefined;
    return field !== undefined && 'text' in field ? [field.text] : [];
  });
}

function left({ class: kind, payload, tool, position }: Trial): NotTried {
  return { class: kind, payload, tool, pointer: position.pointer, reason: 'over-budget' };
}

function abilityOf(trial: Trial): string {
  return `${placeOf(trial)}\n${trial.class}`;
}

function observed(trial: Trial): string {
  return `${abilityOf(trial)}\nobserved`;
}

export class AttackRun {
  readonly #line: Line;
  readonly #window: EventWindow;
  readonly #options: SessionOptions;
  readonly #used: ReadonlyMap<string, ToolSession>;
  readonly #made: MadeTrial[] = [];
  readonly #pending: MadeTrial[] = [];
  readonly #proven: ProvenTrial[] = [];
  /** Positions that are done with by a proof that is no ability, and classes that are an ability of a position. */
  readonly #done = new Set<string>();
  readonly #timeouts = new Map<string, number>();
  readonly crashes: Crash[] = [];

  constructor(line: Line, window: EventWindow, options: SessionOptions, used: readonly ToolSession[]) {
    this.#line = line;
    this.#window = window;
    this.#options = options;
    this.#used = new Map(used.map((each) => [each.tool.name, each]));
  }

  async make(ground: Ground): Promise<Attack> {
    const { budget, limits, only } = this.#options;
    const possible = this.#trials(ground, this.#options.seed);
    const wanted =
      only === undefined
        ? withinBudget(possible, { ...readBudgets()[budget], ...limits })
        : { trials: possible.flatMap(({ trials }) => trials.filter(({ id }) => id === only)), notTried: [] };
    const again = new Map(
      this.#trials(ground, `${this.#options.seed}/again`).flatMap(({ trials }) =>
        trials.map((each) => [each.id, each]),
      ),
    );
    const { trials } = wanted;
    const notTried: NotTried[] = [...wanted.notTried];
    // Readers are judged before writers begin.
    for (const part of [
      trials.filter((trial) => !this.#writes(trial)),
      trials.filter((trial) => this.#writes(trial)),
    ]) {
      notTried.push(...(await this.#makeAll(inRounds(part), again, trials.length)));
    }
    return { proven: this.#settled(), made: this.#made, notTried };
  }

  async #makeAll(
    trials: readonly Trial[],
    again: ReadonlyMap<string, Trial>,
    planned: number,
  ): Promise<readonly NotTried[]> {
    const notTried: NotTried[] = [];
    for (const trial of trials) {
      if (this.#isDone(trial)) continue;
      if (this.#isOver() || (this.#timeouts.get(trial.tool) ?? 0) >= mostTimeouts) {
        notTried.push(left(trial));
        continue;
      }
      this.#pending.push(await this.#call(trial));
      this.#options.onTrials?.(this.#made.length, planned);
      await this.#look(again);
    }
    if (this.#pending.length > 0) await delay(settleMs);
    await this.#look(again);
    return notTried;
  }

  #writes({ tool }: Trial): boolean {
    const used = this.#used.get(tool);
    return used !== undefined && seemsToWrite(used.tool);
  }

  #isDone(trial: Trial): boolean {
    // What is unlike the open way may still go around a guard.
    const isAbility = trial.unlike === undefined && this.#done.has(abilityOf(trial));
    return isAbility || this.#done.has(placeOf(trial));
  }

  #isNews(trial: Trial, { evidenceClass }: Verdict): boolean {
    return !this.#isDone(trial) && (evidenceClass === 'A' || !this.#done.has(observed(trial)));
  }

  #isOver(): boolean {
    return this.#options.signal.aborted || this.#line.isDead || performance.now() > this.#options.attackUntilMs;
  }

  #trials(ground: Ground, seed: string) {
    const { knowledge } = this.#options;
    const isConfined = ground.isConfined ?? this.#options.isConfined;
    const likely = [...(this.#options.likely ?? []), ...(ground.likely ?? [])];
    const classes = readTrialClasses();
    return [...this.#used.values()].flatMap(({ tool }) => {
      const own = likely.filter((hint) => hint.tool === tool.name);
      const hints = {
        knowledge,
        classes,
        ...(isConfined === undefined ? {} : { isConfined }),
        ...(own.length === 0 ? {} : { likely: own }),
      };
      const places = positionsOf(tool, knowledge);
      const world = ground.worldOf(tool.name);
      return [
        allTrials(tool, places, world, seed, hints),
        proposedTrials(this.#options.proposals ?? [], tool, places, world, seed, hints),
      ];
    });
  }

  async #call(trial: Trial): Promise<MadeTrial> {
    const { tool, position, flags, baseline, followUp } = trial;
    const inputs = this.#used.get(tool)?.honest.map(({ input }) => input) ?? [];
    const honest = inputFor(inputs, position, flags);
    const ask = async (value: unknown) => {
      const input = withValue(honest, position, value);
      return { input, ...(await this.#line.call(tool, input, trialTimeoutMs)) };
    };
    const before = baseline === undefined ? null : await ask(baseline);
    const fromNs = process.hrtime.bigint();
    const { input, result, wentAway } = await ask(trial.value);
    const after = followUp === undefined || wentAway ? null : await ask(followUp);
    if (wentAway) this.crashes.push({ tool, during: 'trial', callNumber: this.#line.calls, trial: trial.id });
    if (result.outcome === 'timeout') this.#timeouts.set(tool, (this.#timeouts.get(tool) ?? 0) + 1);
    const made: MadeTrial = {
      trial,
      input,
      result,
      fromNs,
      toNs: process.hrtime.bigint(),
      ...(before === null ? {} : { baselineMs: before.result.durationMs }),
      ...(after === null ? {} : { followUp: after.result }),
    };
    this.#made.push(made);
    return made;
  }

  /** At those trials whose events are all here by now. */
  async #look(again: ReadonlyMap<string, Trial>): Promise<void> {
    const ripe = process.hrtime.bigint() - BigInt(settleMs) * 1_000_000n;
    for (let first = this.#pending[0]; first !== undefined && first.toNs <= ripe; first = this.#pending[0]) {
      this.#pending.shift();
      const verdict = this.#judge(first);
      if (verdict !== null && this.#isNews(first.trial, verdict)) await this.#confirm(first, verdict, again);
    }
  }

  async #confirm(made: MadeTrial, verdict: Verdict, again: ReadonlyMap<string, Trial>): Promise<void> {
    const trial = again.get(made.trial.id);
    const second = trial === undefined || this.#line.isDead ? null : await this.#call(trial);
    if (second !== null) await delay(settleMs);
    const same = second === null ? null : this.#judge(second);
    if (same === null && !ownMarkers.includes(verdict.oracle)) return;
    // What the first one showed may be gone by now; the better proof is told.
    const isBetter = second !== null && same !== null && same.evidenceClass <= verdict.evidenceClass;
    const proven: ProvenTrial = isBetter
      ? { verdict: same, made: second, isConfirmed: true }
      : { verdict, made, isConfirmed: same !== null };
    this.#proven.push(proven);
    this.#options.onVerdict?.(proven.verdict);
    // What was only observed may still be proven.
    if (!proven.verdict.isByDesign)
      this.#done.add((proven.verdict.evidenceClass === 'A' ? placeOf : observed)(made.trial));
    // A tool that takes every path, plainly, does so for all its disguises.
    else if (isPlain(proven.verdict.payload)) this.#done.add(abilityOf(made.trial));
  }

  #judge({ trial, result, followUp, baselineMs, fromNs, toNs }: MadeTrial): Verdict | null {
    const events = this.#window.between(fromNs, toNs + afterNs);
    const honest = this.#used.get(trial.tool)?.honest.map((each) => each.result) ?? [];
    return judgeTrial(trial, {
      events,
      result,
      newFiles: createdPaths(events),
      honest,
      ...(followUp === undefined ? {} : { followUp }),
      ...(baselineMs === undefined ? {} : { baselineMs }),
    });
  }

  #settled(): readonly ProvenTrial[] {
    const verdicts = settleVerdicts(
      this.#proven.map(({ verdict }) => verdict),
      this.#made.map(({ trial }) => trial),
    );
    return this.#proven.map((proven, at) => ({ ...proven, verdict: verdicts[at] ?? proven.verdict }));
  }
}
