import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { type RunResult, runTool } from '../../../src/base/process.ts';
import { findTool } from '../../../src/engine/host/index.ts';
import {
  FakeInternet,
  type FakeInternetOptions,
  type NetEvent,
  type NetEventKind,
  trustFiles,
  type WireCompleteness,
} from '../../../src/engine/net/index.ts';

/** A fake internet with our own harmless clients in the place of a box. Nothing here leaves the two namespaces. */

export async function whyNoNetwork(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'needs root to make network namespaces';
  for (const tool of ['ip', 'nft']) if ((await findTool(tool)) === null) return `${tool} is not installed`;
  return null;
}

export async function needNetwork(context: TestContext): Promise<void> {
  const reason = await whyNoNetwork();
  if (reason !== null) context.skip(reason);
}

export async function needTool(context: TestContext, name: string): Promise<string> {
  const path = await findTool(name);
  if (path === null) context.skip(`${name} is not installed`);
  return path ?? '';
}

export function newRunId(): string {
  return `test-${randomBytes(4).toString('hex')}`;
}

export interface Spoken {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), 'hotcell-net-'));
  readonly events: NetEvent[] = [];
  readonly #opened: FakeInternet[] = [];
  environment: Readonly<Record<string, string>> = {};

  async open(options: Partial<FakeInternetOptions> = {}): Promise<FakeInternet> {
    const internet = await FakeInternet.start({
      runId: newRunId(),
      onEvents: (events) => void this.events.push(...events),
      ...options,
    });
    this.#opened.push(internet);
    const trust = await trustFiles({
      authorityPem: internet.authority.certificatePem,
      folder: this.folder,
      hasSystemFiles: false,
    });
    for (const { path, content } of trust.files) if (path.startsWith(this.folder)) writeFileSync(path, content);
    this.environment = trust.environment;
    return internet;
  }

  get internet(): FakeInternet {
    const last = this.#opened.at(-1);
    if (last === undefined) throw new TypeError('no fake internet is open');
    return last;
  }

  async inBox(argv: readonly string[], input?: string): Promise<Spoken> {
    return this.#run(this.internet.namespaces.inBox(argv), input);
  }

  async inRouter(argv: readonly string[]): Promise<Spoken> {
    return this.#run(this.internet.namespaces.inRouter(argv));
  }

  async #run(argv: readonly string[], input?: string): Promise<Spoken> {
    const result: RunResult = await runTool('ip', argv, {
      timeoutMs: 30_000,
      environment: { ...this.environment },
      ...(input === undefined ? {} : { input }),
    });
    return { code: result.code, stdout: result.stdout.toString(), stderr: result.stderr.toString() };
  }

  /** Runs a script in the Node that runs the tests. */
  node(script: string): Promise<Spoken> {
    return this.inBox([process.execPath, '--input-type=module', '-e', script]);
  }

  /** Waits until an event that fits has been handed over. */
  async until(fits: (event: NetEvent) => boolean, timeoutMs = 40_000): Promise<NetEvent> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = this.events.find(fits);
      if (found !== undefined) return found;
      if (Date.now() > deadline) {
        const seen = this.events.map(({ kind, fields }) => `${kind} ${JSON.stringify(fields).slice(0, 120)}`);
        throw new Error(`no such event among:\n${seen.join('\n')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  of(kind: NetEventKind): readonly NetEvent[] {
    return this.events.filter((event) => event.kind === kind);
  }

  async closeNetwork(): Promise<readonly WireCompleteness[]> {
    const ends = await Promise.all(this.#opened.splice(0).map((each) => each.close()));
    return ends;
  }

  async close(): Promise<void> {
    await this.closeNetwork();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function bytesOf(event: NetEvent): Buffer {
  return Buffer.from(event.bytes?.base64 ?? '', 'base64');
}
