import { setTimeout as delay } from 'node:timers/promises';
import { TargetError } from '../../../base/errors.ts';
import type { Event } from '../../../base/event-schema.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { BoxProcess } from '../../../engine/box/contract.ts';
import { Cell, type CellOptions } from '../../../engine/cell/index.ts';
import type { CallResult } from '../../../targets/conversation/contract.ts';
import { type DrivenConversation, openStdioConversation } from '../../../targets/conversation/index.ts';
import type { PreparedServer } from '../contract.ts';
import { EventRecord } from './event-record.ts';
import type { Attack } from './read-attacks.ts';

/** One release of a server in a cell of its own, under one policy. */

const identity = { name: 'hotcell', version: '1.0.0' };
const tailBytes = 2000;
const politeMs = 1000;

export interface AttackedOptions extends Pick<CellOptions, 'backend' | 'runtimeFolder' | 'dockerSocket'> {
  readonly folder: string;
  readonly helloMs: number;
  readonly callMs: number;
}

/** Variables go through `env` inside the box: the policy need not list them. */
export function commandOf(argv: readonly string[], environment: Readonly<Record<string, string>>): readonly string[] {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return variables.length === 0 ? argv : ['/usr/bin/env', ...variables, ...argv];
}

function keepTail({ stderr }: BoxProcess): () => string {
  let tail: Buffer = Buffer.alloc(0);
  stderr.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
  });
  stderr.on('error', () => undefined);
  return () => forTerminal(untrusted(tail, tailBytes)).trim().slice(-400);
}

export class AttackedServer implements AsyncDisposable {
  readonly #cell: Cell;
  readonly #options: AttackedOptions;
  readonly #record: EventRecord;
  #conversation: DrivenConversation | null = null;
  #child: BoxProcess | null = null;

  private constructor(cell: Cell, options: AttackedOptions, record: EventRecord) {
    this.#cell = cell;
    this.#options = options;
    this.#record = record;
  }

  static async open(policy: Policy, internet: Attack['internet'], options: AttackedOptions): Promise<AttackedServer> {
    const record = new EventRecord();
    const { backend, runtimeFolder, dockerSocket, folder } = options;
    const cell = await Cell.open(policy, {
      ...(backend === undefined ? {} : { backend }),
      ...(dockerSocket === undefined ? {} : { dockerSocket }),
      runtimeFolder,
      folder,
      phase: 'install',
      decoys: null,
      fake: { scripts: internet },
      onEvents: record.add,
    });
    return new AttackedServer(cell, options, record);
  }

  get cell(): Cell {
    return this.#cell;
  }

  get events(): readonly Event[] {
    return this.#record.events;
  }

  /** One command of this machine, to lay out the world. */
  async run(argv: readonly string[]): Promise<void> {
    const child = await this.#cell.spawn(argv);
    child.stdin.on('error', () => undefined);
    child.stdin.end();
    child.stdout.resume();
    const tail = keepTail(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#options.callMs);
    const { code } = await child.exited.finally(() => clearTimeout(timer));
    if (code !== 0) throw new TargetError(`${argv.join(' ')} ended with ${code}: ${tail()}`);
  }

  async start({ argv, cwd }: PreparedServer, { args, environment }: Attack): Promise<void> {
    await this.#cell.enter('start');
    const child = await this.#cell.spawn(commandOf([...argv, ...args], environment), { cwd });
    this.#child = child;
    const tail = keepTail(child);
    const ends = { stdin: child.stdin, stdout: child.stdout, tap: this.#cell.tap(), exited: child.exited };
    const conversation = openStdioConversation(ends, { identity, timeoutMs: this.#options.helloMs });
    this.#conversation = conversation;
    try {
      await conversation.handshake();
    } catch (cause) {
      throw new TargetError(`the server did not start: ${(cause as Error).message}; ${tail()}`, { cause });
    }
  }

  async call(phase: 'use' | 'attack', { tool, arguments: input }: Attack['proof']): Promise<CallResult> {
    if (this.#conversation === null) throw new TargetError('the server was not started');
    await this.#cell.enter(phase);
    return this.#conversation.call(tool, input, this.#options.callMs);
  }

  async close(): Promise<void> {
    await this.#conversation?.close().catch(() => undefined);
    const child = this.#child;
    child?.stdin.end();
    if (child !== null) await Promise.race([child.exited.catch(() => undefined), delay(politeMs)]);
    await this.#cell.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
