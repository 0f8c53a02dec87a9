import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '../../../src/base/event-schema.ts';
import type { Cell } from '../../../src/engine/cell/index.ts';
import {
  type HonestInput,
  honestInputs,
  inputFor,
  type Knowledge,
  positionsOf,
  type World,
  withValue,
} from '../../../src/instruments/analyze/interrogate/arguments/index.ts';
import type { EventWindow } from '../../../src/instruments/analyze/interrogate/session/event-window.ts';
import {
  allTrials,
  type BudgetName,
  judgeTrial,
  readBudgets,
  readTrialClasses,
  settleVerdicts,
  type Trial,
  type Verdict,
  withinBudget,
} from '../../../src/instruments/analyze/interrogate/trials/index.ts';
import { type AdaptedWorld, adaptWorld } from '../../../src/instruments/analyze/interrogate/world/adapt.ts';
import type { CallResult, Conversation, Listing } from '../../../src/targets/conversation/contract.ts';

/** Asks every tool honestly, adapts the world to what that showed, and asks with trials: the plain way through all of it. */

const settleMs = 300;
const lateNs = 200_000_000n;
const groupSize = 4;
const mostHonest = 4;

export interface Asking {
  /** Called again when the server has gone. */
  readonly open: () => Promise<Conversation>;
  readonly cell: Cell;
  readonly window: EventWindow;
  readonly listing: Listing;
  readonly world: World;
  /** When the server was started. */
  readonly fromNs: bigint;
  readonly knowledge: Knowledge;
  readonly seed: string;
  readonly budget: BudgetName;
  readonly deadlineMs: number;
  readonly isConfined?: boolean | undefined;
}

interface Honest {
  readonly tool: string;
  readonly input: HonestInput;
  readonly result: CallResult;
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

interface Made {
  readonly trial: Trial;
  readonly result: CallResult;
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

export interface Asked {
  readonly verdicts: readonly Verdict[];
  readonly tried: readonly Trial[];
  readonly adapted: AdaptedWorld;
  readonly honest: readonly { readonly tool: string; readonly input: unknown; readonly result: CallResult }[];
  readonly answers: readonly { readonly trial: Trial; readonly result: CallResult }[];
  /** Tools whose calls the server did not survive. */
  readonly gone: readonly string[];
}

async function timed<Value>(action: () => Promise<Value>): Promise<{ value: Value; fromNs: bigint; toNs: bigint }> {
  const fromNs = process.hrtime.bigint();
  const value = await action();
  return { value, fromNs, toNs: process.hrtime.bigint() };
}

function createdPaths(events: readonly Event[]): readonly string[] {
  return events.flatMap(({ kind, fields }) => {
    const path = fields.path as { readonly text?: string } | undefined;
    return kind === 'open' && fields.creates === true && path?.text !== undefined ? [path.text] : [];
  });
}

/** A line to a server that is started anew when it goes away. */
class Line {
  readonly #open: Asking['open'];
  #conversation: Conversation | null = null;
  gone: string[] = [];

  constructor(open: Asking['open']) {
    this.#open = open;
  }

  async call(tool: string, input: unknown, timeoutMs: number): Promise<CallResult> {
    this.#conversation ??= await this.#open();
    const result = await this.#conversation.call(tool, input, timeoutMs);
    if (result.outcome === 'gone') {
      this.gone.push(tool);
      await this.#conversation.close();
      this.#conversation = null;
    }
    return result;
  }

  async close(): Promise<void> {
    await this.#conversation?.close();
  }
}

async function useAll(line: Line, { listing, world, knowledge, seed }: Asking): Promise<readonly Honest[]> {
  const honest: Honest[] = [];
  for (const tool of listing.tools) {
    for (const input of honestInputs(tool, world, { seed, knowledge, mostInputs: mostHonest })) {
      const { value, ...when } = await timed(() => line.call(tool.name, input.input, 8000));
      honest.push({ tool: tool.name, input, result: value, ...when });
    }
  }
  return honest;
}

export async function askAll(asking: Asking): Promise<Asked> {
  const { cell, window, listing, world, knowledge, seed, budget, deadlineMs, fromNs } = asking;
  await cell.enter('use');
  const line = new Line(asking.open);
  const honest = await useAll(line, asking);
  await delay(settleMs);
  const uses = honest.map(({ tool, input, fromNs: from, toNs }) => ({
    tool,
    input: input.input,
    events: window.between(from, toNs + lateNs),
  }));
  const events = window.between(fromNs, process.hrtime.bigint());
  const adapted = await adaptWorld(cell, world, { tools: listing.tools, uses, events });
  await cell.enter('attack');
  const classes = readTrialClasses();
  const isConfined = asking.isConfined ?? adapted.isConfined;
  const possible = listing.tools.map((tool) => {
    const own = adapted.tools.find((each) => each.tool === tool.name);
    const hints = {
      knowledge,
      classes,
      likely: own?.likely ?? [],
      ...(isConfined === undefined ? {} : { isConfined }),
    };
    return allTrials(tool, positionsOf(tool, knowledge), own?.world ?? world, seed, hints);
  });
  const { trials } = withinBudget(possible, readBudgets()[budget]);
  const verdicts: Verdict[] = [];
  const tried: Trial[] = [];
  const answers: { trial: Trial; result: CallResult }[] = [];
  const make = async (trial: Trial): Promise<Made> => {
    const inputs = honest.filter(({ tool }) => tool === trial.tool).map(({ input }) => input);
    const input = withValue(inputFor(inputs, trial.position, trial.flags), trial.position, trial.value);
    const { value, ...when } = await timed(() => line.call(trial.tool, input, 5000));
    return { trial, result: value, ...when };
  };
  const judge = ({ trial, result, fromNs: from, toNs }: Made): Verdict | null => {
    const seen = window.between(from, toNs + lateNs);
    const known = honest.filter(({ tool }) => tool === trial.tool).map((each) => each.result);
    return judgeTrial(trial, { events: seen, result, newFiles: createdPaths(seen), honest: known });
  };
  for (const group of Map.groupBy(trials, ({ tool, position }) => `${tool}\n${position.pointer}`).values()) {
    for (let at = 0; at < group.length && performance.now() < deadlineMs; at += groupSize) {
      const made: Made[] = [];
      for (const trial of group.slice(at, at + groupSize)) made.push(await make(trial));
      tried.push(...made.map(({ trial }) => trial));
      answers.push(...made);
      await delay(settleMs);
      const proven: Verdict[] = [];
      for (const each of made.filter((one) => judge(one) !== null)) {
        // Once more and alone, so that what is seen is its own.
        const again = await make(each.trial);
        await delay(settleMs);
        const verdict = judge(again);
        if (verdict !== null) proven.push(verdict);
      }
      verdicts.push(...proven);
      if (settleVerdicts(proven, tried).some(({ isByDesign }) => !isByDesign)) break;
    }
  }
  await line.close();
  return {
    verdicts: settleVerdicts(verdicts, tried),
    tried,
    adapted,
    answers,
    honest: honest.map(({ tool, input, result }) => ({ tool, input: input.input, result })),
    gone: line.gone,
  };
}
