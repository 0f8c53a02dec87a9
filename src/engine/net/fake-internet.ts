import { randomBytes } from 'node:crypto';
import { type Authority, createAuthority } from './certificates/authority.ts';
import {
  type Caps,
  type DnsRecordSeed,
  defaultCaps,
  type MetadataBait,
  type Registry,
  type ScriptedAnswer,
} from './config.ts';
import type { NetEvent } from './event.ts';
import { NetworkNamespaces } from './namespace.ts';
import { type RouterEnd, RouterProcess } from './router/router-process.ts';

/** An internet for one box: it answers for every name and address, keeps what it hears, and leads nowhere. */

export interface FakeInternetOptions {
  /** Lower-case letters, digits and dashes; part of the names of the namespaces. */
  readonly runId: string;
  /** The box is slowed down until it has returned or its promise has resolved. */
  readonly onEvents: (events: readonly NetEvent[]) => void | Promise<void>;
  /** Lines of a TLS key log, as they appear. */
  readonly onKeys?: (lines: string) => void;
  readonly dns?: readonly DnsRecordSeed[];
  readonly scripts?: readonly ScriptedAnswer[];
  readonly registries?: readonly Registry[];
  readonly metadata?: MetadataBait;
  readonly caps?: Partial<Caps>;
}

/** Whether everything that happened was seen. */
export interface WireCompleteness extends RouterEnd {
  readonly isComplete: boolean;
}

export function judgeEnd(end: RouterEnd): WireCompleteness {
  const { counts, diedAtMs, missing } = end;
  const isComplete = diedAtMs === null && missing === 0 && counts?.droppedDatagrams === 0 && counts.problems === 0;
  return { ...end, isComplete };
}

export class FakeInternet implements AsyncDisposable {
  readonly namespaces: NetworkNamespaces;
  readonly authority: Authority;
  readonly #router: RouterProcess;
  #end: Promise<WireCompleteness> | null = null;

  private constructor(namespaces: NetworkNamespaces, authority: Authority, router: RouterProcess) {
    this.namespaces = namespaces;
    this.authority = authority;
    this.#router = router;
  }

  static async start(options: FakeInternetOptions): Promise<FakeInternet> {
    const authority = createAuthority();
    const namespaces = await NetworkNamespaces.create(options.runId);
    try {
      const config = {
        seed: randomBytes(16).toString('hex'),
        authority,
        dns: options.dns ?? [],
        scripts: options.scripts ?? [],
        registries: options.registries ?? [],
        metadata: options.metadata ?? {},
        caps: { ...defaultCaps, ...options.caps },
      };
      const router = await RouterProcess.start(
        (argv) => namespaces.inRouter(argv),
        { type: 'start', config },
        {
          onEvents: options.onEvents,
          onKeys: options.onKeys ?? (() => undefined),
        },
      );
      return new FakeInternet(namespaces, authority, router);
    } catch (error) {
      await namespaces.close();
      throw error;
    }
  }

  get routerPid(): number | undefined {
    return this.#router.pid;
  }

  /** Ends the router after it has handed over everything, and removes both namespaces. */
  close(): Promise<WireCompleteness> {
    this.#end ??= this.#finish();
    return this.#end;
  }

  async #finish(): Promise<WireCompleteness> {
    try {
      return judgeEnd(await this.#router.stop());
    } finally {
      await this.namespaces.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
