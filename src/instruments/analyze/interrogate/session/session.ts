import { setTimeout as delay } from 'node:timers/promises';
import type { Event, UntrustedJson } from '../../../../base/event-schema.ts';
import type { Cell } from '../../../../engine/cell/index.ts';
import {
  type HonestInput,
  honestInputs,
  inputFor,
  type Knowledge,
  positionsOf,
  type World,
  withValue,
} from '../arguments/index.ts';
import type { CallResult, Conversation, ListedTool, Listing } from '../contract.ts';
import {
  allTrials,
  type BudgetName,
  judgeTrial,
  type NotTried,
  readBudgets,
  readTrialClasses,
  settleVerdicts,
  type Trial,
  type Verdict,
  withinBudget,
} from '../trials/index.ts';
import type { EventWindow } from './event-window.ts';

/**
 * One server, asked honestly and then with trials. Calls are made one after the other; what the world shows of each comes a
 * little later, so trials of one position are judged together.
 */

/** After this time the sensors have handed over what a call did, traffic included. */
const settleMs = 300;
const groupSize = 4;
const honestTimeoutMs = 8000;
const trialTimeoutMs = 5000;
const mostHonest = 4;

export interface SessionOptions {
  readonly budget: BudgetName;
  readonly seed: string;
  readonly knowledge: Knowledge;
  readonly isConfined?: boolean;
  /** Ends the trials early, with the rest listed as not tried. */
  readonly deadlineMs: number;
  readonly onProgress?: (what: string) => void;
}

export interface ToolSession {
  readonly tool: ListedTool;
  readonly honest: readonly { readonly input: HonestInput; readonly result: CallResult }[];
}

export interface Interrogation {
  readonly tools: readonly ToolSession[];
  readonly verdicts: readonly Verdict[];
  readonly tried: number;
  readonly notTried: readonly NotTried[];
  /** The server went away during this call. */
  readonly goneDuring?: string;
}

interface Made {
  readonly trial: Trial;
  readonly result: CallResult;
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

function createdPaths(events: readonly Event[]): readonly string[] {
  return events.flatMap(({ kind, fields }) => {
    const field = (kind === 'open' && fields.creates === true ? fields.path : undefined) as UntrustedJson | undefined;
    return field !== undefined && 'text' in field ? [field.text] : [];
  });
}

export class Session {
  readonly #conversation: Conversation;
  readonly #cell: Cell;
  readonly #window: EventWindow;
  readonly #options: SessionOptions;

  constructor(conversation: Conversation, cell: Cell, window: EventWindow, options: SessionOptions) {
    this.#conversation = conversation;
    this.#cell = cell;
    this.#window = window;
    this.#options = options;
  }

  async run({ tools }: Listing, world: World): Promise<Interrogation> {
    await this.#cell.enter('use');
    const used: ToolSession[] = [];
    for (const tool of tools) used.push(await this.#use(tool, world));
    await this.#cell.enter('attack');
    return { tools: used, ...(await this.#attack(used, world)) };
  }

  async #use(tool: ListedTool, world: World): Promise<ToolSession> {
    const { seed, knowledge, onProgress } = this.#options;
    onProgress?.(`using ${tool.name}`);
    const inputs = honestInputs(tool, world, { seed, knowledge, mostInputs: mostHonest });
    const honest: { input: HonestInput; result: CallResult }[] = [];
    for (const input of inputs) {
      const result = await this.#conversation.call(tool.name, input.input, honestTimeoutMs);
      honest.push({ input, result });
      if (result.outcome === 'gone') break;
    }
    return { tool, honest };
  }

  async #attack(used: readonly ToolSession[], world: World): Promise<Omit<Interrogation, 'tools'>> {
    const { knowledge, seed, budget, isConfined, deadlineMs } = this.#options;
    const hints = { knowledge, classes: readTrialClasses(), ...(isConfined === undefined ? {} : { isConfined }) };
    const possible = used.map(({ tool }) => allTrials(tool, positionsOf(tool, knowledge), world, seed, hints));
    const { trials, notTried } = withinBudget(possible, readBudgets()[budget]);
    const groups = [...Map.groupBy(trials, ({ tool, position }) => `${tool}\n${position.pointer}`).values()];
    const verdicts: Verdict[] = [];
    const left: NotTried[] = [...notTried];
    let tried = 0;
    for (const group of groups) {
      for (let at = 0; at < group.length; at += groupSize) {
        const part = group.slice(at, at + groupSize);
        if (performance.now() > deadlineMs) {
          left.push(...part.map(overBudget));
          continue;
        }
        const { made, goneDuring } = await this.#call(part, used);
        tried += made.length;
        const proven = await this.#judge(made, used);
        verdicts.push(...proven);
        if (goneDuring !== undefined) return { verdicts: settleVerdicts(verdicts), tried, notTried: left, goneDuring };
        // A parameter is done with its first proof.
        if (proven.some(({ isByDesign }) => !isByDesign)) break;
      }
    }
    return { verdicts: settleVerdicts(verdicts), tried, notTried: left };
  }

  async #call(trials: readonly Trial[], used: readonly ToolSession[]): Promise<{ made: Made[]; goneDuring?: string }> {
    const made: Made[] = [];
    for (const trial of trials) {
      const inputs = used.find(({ tool }) => tool.name === trial.tool)?.honest.map(({ input }) => input) ?? [];
      const input = withValue(inputFor(inputs, trial.position, trial.flags), trial.position, trial.value);
      const fromNs = process.hrtime.bigint();
      const result = await this.#conversation.call(trial.tool, input, trialTimeoutMs);
      made.push({ trial, result, fromNs, toNs: process.hrtime.bigint() });
      if (result.outcome === 'gone') return { made, goneDuring: trial.id };
    }
    return { made };
  }

  async #judge(made: readonly Made[], used: readonly ToolSession[]): Promise<readonly Verdict[]> {
    await delay(settleMs);
    return made.flatMap(({ trial, result, fromNs, toNs }): Verdict[] => {
      const events = this.#window.between(fromNs, toNs + 200_000_000n);
      const honest = used.find(({ tool }) => tool.name === trial.tool)?.honest.map((each) => each.result) ?? [];
      const verdict = judgeTrial(trial, { events, result, newFiles: createdPaths(events), honest });
      return verdict === null ? [] : [verdict];
    });
  }
}

function overBudget({ class: kind, payload, tool, position }: Trial): NotTried {
  return { class: kind, payload, tool, pointer: position.pointer, reason: 'over-budget' };
}
