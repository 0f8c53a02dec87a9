import { setTimeout as delay } from 'node:timers/promises';
import type { BoxProcess } from '../../../../engine/box/contract.ts';
import type { Cell } from '../../../../engine/cell/index.ts';
import type { ClientIdentity, Handshake } from '../../../../targets/conversation/contract.ts';
import {
  type DrivenConversation,
  discoverEndpoint,
  type Endpoint,
  openHttpConversation,
  openRelay,
  openStdioConversation,
  type Relay,
} from '../../../../targets/conversation/index.ts';
import type { EventWindow } from '../session/event-window.ts';
import type { FailedStart, Launch } from '../start/contract.ts';
import { listeningPorts } from './listening.ts';
import { Tail } from './tail.ts';

/** A server that runs in a cell and has said hello. */

const tailBytes = 16 * 1024;
const pollMs = 200;
/** Servers that speak over stdio answer sooner than this, or say nothing at all. */
const quietMs = 1500;
const politeMs = 1500;
const endMs = 5000;

/** What a server needs of a cell. */
export type ServerCell = Pick<Cell, 'spawn' | 'tap' | 'network'>;

export interface ServerOptions {
  readonly identity: ClientIdentity;
  readonly window: EventWindow;
  /** Tells the calls of this one from those of others in the same run. */
  readonly prefix: string;
  readonly helloMs: number;
  /** Called when the process runs and has not been spoken to yet. */
  readonly onRunning?: () => Promise<void>;
  readonly signal: AbortSignal;
}

export type Started =
  | { readonly is: 'started'; readonly server: Server }
  | ({ readonly is: 'failed' } & { readonly failed: FailedStart });

interface Http {
  readonly relay: Relay;
  readonly endpoint: Endpoint;
}

interface Parts {
  readonly child: BoxProcess;
  readonly conversation: DrivenConversation;
  readonly handshake: Handshake;
  readonly stderr: Tail;
  readonly http: Http | null;
}

export class Server implements AsyncDisposable {
  readonly #parts: Parts;
  hasEnded = false;

  private constructor(parts: Parts) {
    this.#parts = parts;
    void parts.child.exited
      .catch(() => undefined)
      .then(() => {
        this.hasEnded = true;
      });
  }

  static async start(cell: ServerCell, launch: Launch, options: ServerOptions): Promise<Started> {
    const fromNs = process.hrtime.bigint();
    const child = await cell.spawn(commandOf(launch), { cwd: launch.cwd });
    const tails = { stderr: new Tail(child.stderr, tailBytes), stdout: new Tail(child.stdout, tailBytes) };
    const ports = (): readonly number[] => listeningPorts(options.window.between(fromNs, process.hrtime.bigint()));
    await options.onRunning?.();
    const opening = launch.transport === 'http' ? openHttp : openStdio;
    const opened = await opening(cell, child, { ...options, launch, ports, stdout: tails.stdout });
    if ('conversation' in opened) {
      return { is: 'started', server: new Server({ child, stderr: tails.stderr, ...opened }) };
    }
    child.kill('SIGKILL');
    const { code, signal } = await endOf(child);
    return {
      is: 'failed',
      failed: {
        launch,
        is: opened.is,
        code,
        signal,
        stderrTail: tails.stderr.text,
        stdoutTail: tails.stdout.text,
        listens: ports(),
      },
    };
  }

  get conversation(): DrivenConversation {
    return this.#parts.conversation;
  }

  get handshake(): Handshake {
    return this.#parts.handshake;
  }

  get http(): Http | null {
    return this.#parts.http;
  }

  get stderr(): string {
    return this.#parts.stderr.text;
  }

  /** Asks it to go, as a client does, and ends what does not. */
  async close(): Promise<void> {
    const { child, conversation, http } = this.#parts;
    await conversation.close();
    child.stdin.end();
    await Promise.race([child.exited.catch(() => undefined), delay(politeMs)]);
    if (!this.hasEnded) child.kill('SIGTERM');
    await Promise.race([child.exited.catch(() => undefined), delay(politeMs)]);
    if (!this.hasEnded) child.kill('SIGKILL');
    await Promise.race([child.exited.catch(() => undefined), delay(endMs)]);
    await http?.relay.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Variables go through `env` inside the box: the policy need not know them before. */
function commandOf({ argv, environment }: Launch): readonly string[] {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return ['/usr/bin/env', ...variables, ...argv];
}

async function endOf(child: BoxProcess): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  const ended = await Promise.race([child.exited.catch(() => null), delay(endMs).then(() => null)]);
  return { code: ended?.code ?? null, signal: ended?.signal ?? null };
}

interface Opening extends ServerOptions {
  readonly launch: Launch;
  readonly ports: () => readonly number[];
  readonly stdout: Tail;
}

type Opened = Pick<Parts, 'conversation' | 'handshake' | 'http'> | { readonly is: FailedStart['is'] };

async function openStdio(cell: ServerCell, child: BoxProcess, opening: Opening): Promise<Opened> {
  const { identity, helloMs, prefix, signal, stdout, ports } = opening;
  const ends = { stdin: child.stdin, stdout: child.stdout, tap: cell.tap(prefix), exited: child.exited };
  const conversation = openStdioConversation(ends, { identity, timeoutMs: helloMs });
  const exited = child.exited.then(
    () => 'exited' as const,
    () => 'exited' as const,
  );
  const hello = conversation.handshake().then(
    (handshake) => ({ handshake }),
    () => 'refused' as const,
  );
  const stop = new AbortController();
  const listens = (async () => {
    await delay(quietMs, undefined, { signal: stop.signal });
    while (stdout.bytes > 0 || ports().length === 0) await delay(pollMs, undefined, { signal: stop.signal });
    return 'listens' as const;
  })().catch(() => 'stopped' as const);
  const aborted = new Promise<'stopped'>((resolve) => {
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const outcome = await Promise.race([hello, exited, listens, aborted]);
  stop.abort();
  if (typeof outcome === 'object') return { conversation, handshake: outcome.handshake, http: null };
  await conversation.close();
  // It said nothing and listens: perhaps it speaks HTTP.
  if (outcome === 'listens') return openHttp(cell, child, opening);
  return { is: outcome === 'refused' && stdout.bytes === 0 ? 'silent' : outcome === 'exited' ? 'exited' : 'refused' };
}

async function openHttp(cell: ServerCell, child: BoxProcess, opening: Opening): Promise<Opened> {
  const { network } = cell;
  if (network === null) return { is: 'silent' };
  let hasExited = false;
  void child.exited
    .catch(() => undefined)
    .then(() => {
      hasExited = true;
    });
  const until = performance.now() + opening.helloMs;
  while (performance.now() < until && !hasExited && !opening.signal.aborted) {
    for (const port of opening.ports()) {
      const opened = await talkTo(network, port, cell, opening);
      if (opened !== null) return opened;
    }
    await delay(pollMs);
  }
  return { is: hasExited ? 'exited' : 'silent' };
}

async function talkTo(network: string, port: number, cell: ServerCell, opening: Opening): Promise<Opened | null> {
  const { identity, helloMs, prefix } = opening;
  const relay = openRelay({ network, port });
  try {
    const { url, request } = relay;
    const endpoint = await discoverEndpoint({ identity, url, request, timeoutMs: helloMs / 2 });
    if (endpoint === null) {
      await relay.close();
      return null;
    }
    const conversation = openHttpConversation(
      { url: new URL(endpoint.path, relay.url), request: relay.request, tap: cell.tap(prefix) },
      { identity, timeoutMs: helloMs },
    );
    const handshake = await conversation.handshake();
    return { conversation, handshake, http: { relay, endpoint } };
  } catch {
    // Another port may be the right one.
    await relay.close();
    return null;
  }
}
