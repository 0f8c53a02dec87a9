import { PassThrough } from 'node:stream';
import { sha256 } from '../../../base/fingerprint.ts';
import type { JsonObject } from '../../../base/json-shape.ts';
import { gibibyte, mebibyte, minuteMs } from '../../../base/limits.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import type { LedgerEntry, LedgerWriter } from '../../../engine/ledger/contract.ts';
import type { GuardMode, MessageRule, RuleContext } from '../contract.ts';
import type { GateOptions } from './contract.ts';
import { MessageGate } from './gate.ts';
import { type Line, LineReader } from './line-reader.ts';
import { MessageRelay } from './relay.ts';

/** A client, a server and what lies between them, all in memory: for tests. */

export const samplePolicy: Policy = {
  version: 1,
  name: 'sample',
  files: [],
  environment: [],
  network: { mode: 'none', rules: [] },
  limits: {
    memoryBytes: gibibyte,
    processes: 10,
    cpuCores: 1,
    wallMs: minuteMs,
    outputBytes: gibibyte,
    fileBytes: mebibyte,
    diskBytes: mebibyte,
    openFiles: 100,
  },
  syscalls: { deny: [] },
};

export function sampleContext(given: Partial<RuleContext> = {}): RuleContext {
  return {
    server: 'sample',
    mode: 'enforce',
    policy: samplePolicy,
    pins: { check: () => ({ is: 'same' }), isQuarantined: () => false },
    canaries: { search: () => [] },
    instructions: 'mark',
    ...given,
  };
}

/** Keeps what it is told; fails when it is told to. */
export class ListLedger implements LedgerWriter {
  readonly entries: LedgerEntry[] = [];
  isBroken = false;
  /** Entries are taken only when this has resolved. */
  gate: Promise<void> = Promise.resolve();

  async append(entry: LedgerEntry): Promise<{ readonly sequence: number; readonly leaf: string }> {
    await this.gate;
    if (this.isBroken) throw new Error('no space left on device');
    return { sequence: this.entries.push(entry) - 1, leaf: '' };
  }

  hashSecret(secret: string | Uint8Array): string {
    return sha256(`key ${Buffer.from(secret).toString('hex')}`);
  }
}

export interface SampleOptions extends Partial<Omit<GateOptions, 'context' | 'recorder'>> {
  readonly context?: Partial<RuleContext>;
  readonly mode?: GuardMode;
}

function gateOptions(
  { context = {}, mode = 'enforce', rules = [], ...rest }: SampleOptions,
  ledger: ListLedger,
): GateOptions {
  return { ...rest, rules, context: sampleContext({ mode, ...context }), recorder: { ledger, session: 'session' } };
}

export function lineOf(text: string | Buffer | JsonObject): Line {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(typeof text === 'string' ? text : JSON.stringify(text));
  const [line] = new LineReader(gibibyte).push(Buffer.concat([bytes, Buffer.from('\n')]));
  if (line === undefined) throw new Error('an empty line');
  return line;
}

/** Asks a request first, so that the answer to it is one. */
export class SampleGate {
  readonly ledger = new ListLedger();
  readonly gate: MessageGate;
  #id = 0;

  constructor(options: SampleOptions = {}) {
    this.gate = new MessageGate(gateOptions(options, this.ledger));
  }

  /** What the server gets, and what the client is told instead. */
  async ask(
    method: string,
    params: JsonObject,
  ): Promise<{ readonly forward: string | null; readonly reply: string | null; readonly given: string }> {
    this.#id += 1;
    const given = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params });
    return { ...(await this.#take('to-server', given)), given };
  }

  /** What the client gets when the server answers the last request so. */
  async answer(body: JsonObject): Promise<{ readonly forward: string | null; readonly given: string }> {
    const given = JSON.stringify({ ...body, jsonrpc: '2.0', id: this.#id });
    return { ...(await this.#take('to-client', given)), given };
  }

  async tell(
    message: JsonObject,
  ): Promise<{ readonly forward: string | null; readonly reply: string | null; readonly given: string }> {
    const given = JSON.stringify({ jsonrpc: '2.0', ...message });
    return { ...(await this.#take('to-client', given)), given };
  }

  async #take(
    direction: 'to-server' | 'to-client',
    text: string,
  ): Promise<{ readonly forward: string | null; readonly reply: string | null }> {
    const { forward, reply } = await this.gate.take(direction, lineOf(text));
    return { forward: forward?.toString() ?? null, reply: reply?.toString() ?? null };
  }
}

export interface SampleRelay {
  readonly relay: MessageRelay;
  readonly ledger: ListLedger;
  /** What the client writes and reads, and what the server writes and reads. */
  readonly client: { readonly writes: PassThrough; readonly reads: PassThrough };
  readonly server: { readonly writes: PassThrough; readonly reads: PassThrough };
}

export function openSampleRelay(
  options: SampleOptions & { readonly rules?: readonly MessageRule[] } = {},
): SampleRelay {
  const ledger = new ListLedger();
  const client = { writes: new PassThrough(), reads: new PassThrough() };
  const server = { writes: new PassThrough(), reads: new PassThrough() };
  const relay = new MessageRelay({
    ...gateOptions(options, ledger),
    client: { input: client.writes, output: client.reads },
    server: { input: server.writes, output: server.reads },
  });
  return { relay, ledger, client, server };
}

/** Everything that a stream gives until it ends. */
export async function readAll(stream: PassThrough): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
