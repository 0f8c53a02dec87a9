import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../src/base/json-shape.ts';
import type { BackendId } from '../../../src/engine/box/index.ts';
import {
  Ledger,
  publicKeyText,
  readEntries,
  type StoredEntry,
  verifyLedger,
} from '../../../src/engine/ledger/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { Store } from '../../../src/engine/store/index.ts';
import type { PreparedServer } from '../../../src/instruments/guard/contract.ts';
import {
  noFlags,
  openSession,
  type PolicyFlags,
  type Session,
  type SessionWishes,
} from '../../../src/instruments/guard/run/index.ts';

/** A server behind the guard that tries what it is told to, and a ledger and a store of its own. */

const sample = fileURLToPath(new URL('../../samples/guard/probe-server.js', import.meta.url));

export const probeServer: PreparedServer = {
  subject: 'folder:/probe',
  version: null,
  integrity: null,
  argv: [process.execPath, sample],
  cwd: dirname(sample),
  files: [
    { path: dirname(dirname(process.execPath)), access: 'execute' },
    { path: dirname(sample), access: 'execute' },
  ],
  problems: [],
};

/** Gaps that a landlock box always has. */
const usualGaps: Partial<Record<BackendId, readonly string[]>> = { landlock: ['names-visible', 'identity'] };

export interface ProbeWishes extends Partial<Omit<SessionWishes, 'flags'>> {
  readonly flags?: Partial<PolicyFlags>;
}

export class Probe {
  readonly session: Session;
  readonly told: string[];
  readonly #input: PassThrough;
  readonly #waiting = new Map<number, (message: JsonObject) => void>();
  #lastId = 0;

  constructor(session: Session, told: string[], input: PassThrough, output: PassThrough) {
    this.session = session;
    this.told = told;
    this.#input = input;
    createInterface({ input: output }).on('line', (line) => {
      const message = JSON.parse(line) as JsonObject;
      this.#waiting.get(Number(message.id))?.(message);
    });
    void session.ended.then(() => {
      for (const tell of this.#waiting.values()) tell({ error: { message: 'the server has ended' } });
    });
  }

  request(method: string, params: JsonObject): Promise<JsonObject> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve));
    this.#input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  }

  /** What the tool says, read as JSON where it is some. */
  async call<T = { ok?: string; error?: string }>(name: string, given: JsonObject = {}): Promise<T> {
    const { result, error } = await this.request('tools/call', { name, arguments: given });
    const { content } = (result ?? {}) as { content?: readonly { text: string }[] };
    const text = content?.[0]?.text;
    if (text === undefined) return { error: (error as { message: string }).message } as T;
    try {
      return JSON.parse(text) as T;
    } catch {
      return text as T;
    }
  }

  async close(): Promise<void> {
    this.#input.end();
    await this.session.ended;
  }
}

export class ProbeHome {
  readonly folder = mkdtempSync('/tmp/hotcell-probe-');
  #ledger: Promise<Ledger> | null = null;
  #store: Store | null = null;

  get runtimeFolder(): string {
    return join(this.folder, 'runtime');
  }

  async open(backend: BackendId, wishes: ProbeWishes = {}): Promise<Probe> {
    await chmod(this.folder, 0o711);
    this.#ledger ??= Ledger.open({ folder: join(this.folder, 'ledger') });
    const store = this.#store ?? Store.open(join(this.folder, 'guard', 'state.sqlite'));
    this.#store = store;
    const [input, output, told] = [new PassThrough(), new PassThrough(), [] as string[]];
    const { flags, ...others } = wishes;
    const session = await openSession(
      {
        folder: this.folder,
        box: { backend, runtimeFolder: this.runtimeFolder },
        ledger: this.#ledger,
        store: async () => store,
      },
      {
        server: probeServer,
        name: 'probe',
        fallback: { policy: tierPolicy('LOW'), isPreset: true },
        flags: { ...noFlags, ...flags },
        mode: 'enforce',
        instructions: 'pass',
        environment: {},
        allowedGaps: usualGaps[backend] ?? [],
        ...others,
      },
      { client: { input, output }, tell: (line) => void told.push(line) },
    );
    return new Probe(session, told, input, output);
  }

  async entries(session?: string): Promise<readonly StoredEntry[]> {
    const all: StoredEntry[] = [];
    for await (const { entry } of readEntries(join(this.folder, 'ledger'), session === undefined ? {} : { session }))
      all.push(entry);
    return all;
  }

  async verify(): Promise<boolean> {
    await (await this.#ledger)?.close();
    this.#ledger = null;
    const folder = join(this.folder, 'ledger');
    return (await verifyLedger(folder, { publicKeys: [await publicKeyText(folder)] })).isIntact;
  }

  async close(): Promise<void> {
    await (await this.#ledger)?.close();
    this.#store?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
