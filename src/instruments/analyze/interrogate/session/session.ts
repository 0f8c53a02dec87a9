import type { Cell } from '../../../../engine/cell/index.ts';
import type { Conversation, Listing } from '../../../../targets/conversation/contract.ts';
import { honestInputs, type World } from '../arguments/index.ts';
import { proposedInputs } from '../model/index.ts';
import { AttackRun } from './attack.ts';
import type { Crash, Ground, HonestCall, Interrogation, SessionOptions, ToolSession } from './contract.ts';
import type { EventWindow } from './event-window.ts';
import { Line } from './line.ts';

/** One server, asked honestly and then with trials; calls are made one after the other, so that an event has one call. */

const honestTimeoutMs = 8000;
const usualHonest = 4;
const quickMs = 250;

export class Session {
  readonly #cell: Pick<Cell, 'enter'>;
  readonly #window: EventWindow;
  readonly #options: SessionOptions;
  readonly #line: Line;
  readonly #crashes: Crash[] = [];

  constructor(conversation: Conversation, cell: Pick<Cell, 'enter'>, window: EventWindow, options: SessionOptions) {
    this.#cell = cell;
    this.#window = window;
    this.#options = options;
    this.#line = new Line(conversation, options.reopen);
  }

  get crashes(): readonly Crash[] {
    return this.#crashes;
  }

  /** How many calls the server has had. */
  get calls(): number {
    return this.#line.calls;
  }

  get conversation(): Conversation {
    return this.#line.conversation;
  }

  async run(listing: Listing, world: World): Promise<Interrogation> {
    const tools = await this.use(listing, world);
    const attack = await this.attack(tools, { worldOf: () => world, likely: [] });
    return { tools, ...attack, crashes: this.#crashes };
  }

  async use({ tools }: Listing, world: World): Promise<readonly ToolSession[]> {
    await this.#cell.enter('use');
    const used: ToolSession[] = [];
    for (const [at, tool] of tools.entries()) {
      this.#options.onTool?.(tool.name, at + 1, tools.length);
      used.push({ tool, honest: await this.#ask(tool, world) });
    }
    return used;
  }

  async #ask(tool: ToolSession['tool'], world: World): Promise<readonly HonestCall[]> {
    const { seed, knowledge, mostHonest = usualHonest, useUntilMs, signal } = this.#options;
    const inputs = [
      ...honestInputs(tool, world, { seed, knowledge, mostInputs: mostHonest }),
      ...proposedInputs(this.#options.proposals ?? [], tool.name, world),
    ];
    const honest: HonestCall[] = [];
    for (const input of inputs) {
      if (signal.aborted || performance.now() > useUntilMs || this.#line.isDead) break;
      const fromNs = process.hrtime.bigint();
      const { result, wentAway } = await this.#line.call(tool.name, input.input, honestTimeoutMs);
      honest.push({ input, result, fromNs, toNs: process.hrtime.bigint() });
      if (this.#line.calls === 1) await this.#options.onFirstCall?.();
      if (wentAway) this.#crashes.push({ tool: tool.name, during: 'honest', callNumber: this.#line.calls });
      // What takes this long takes as long with any other argument.
      if (wentAway || result.outcome === 'timeout') break;
    }
    return honest;
  }

  /** Some things happen only after many calls: the quickest tools are called until there were enough. */
  async repeat(used: readonly ToolSession[], least: number): Promise<void> {
    const { signal, useUntilMs } = this.#options;
    const quick = used
      .flatMap(({ tool, honest }) => honest.map(({ input, result }) => ({ tool, input, result })))
      .filter(({ result }) => result.outcome === 'answered' && result.durationMs < quickMs)
      .toSorted((one, other) => one.result.durationMs - other.result.durationMs);
    for (let at = 0; quick.length > 0 && this.#line.calls < least; at += 1) {
      const next = quick[at % quick.length];
      if (next === undefined || signal.aborted || performance.now() > useUntilMs || this.#line.isDead) return;
      const { wentAway } = await this.#line.call(next.tool.name, next.input.input, honestTimeoutMs);
      if (wentAway) this.#crashes.push({ tool: next.tool.name, during: 'honest', callNumber: this.#line.calls });
    }
  }

  async attack(used: readonly ToolSession[], ground: Ground): Promise<Omit<Interrogation, 'tools' | 'crashes'>> {
    await this.#cell.enter('attack');
    const run = new AttackRun(this.#line, this.#window, this.#options, used);
    const attack = await run.make(ground);
    this.#crashes.push(...run.crashes);
    return attack;
  }
}
