import { randomUUID } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { ServerFactory } from '../build-server.ts';
import type { Share } from './limits.ts';

/** Sessions of clients of the older protocols. One that nobody uses makes room for one that somebody wants. */

export interface Session {
  readonly id: string;
  readonly client: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  /** Requests and streams that are open. */
  uses: number;
  usedAt: number;
}

export interface SessionOptions {
  readonly makeServer: ServerFactory;
  readonly share: Share;
  readonly idleMs: number;
  readonly onError: (error: Error) => void;
  readonly now?: () => number;
}

/** What is used least comes first: whoever has requests under way comes last. */
export function leastUsed<Item extends Pick<Session, 'uses' | 'usedAt'>>(items: readonly Item[]): Item | undefined {
  return [...items].sort((a, b) => Number(a.uses > 0) - Number(b.uses > 0) || a.usedAt - b.usedAt)[0];
}

export class Sessions {
  readonly #options: SessionOptions;
  readonly #now: () => number;
  /** By id. */
  readonly #open = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#sweeper = setInterval(() => void this.closeIdle(), Math.max(1000, options.idleMs / 10));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#open.size;
  }

  find(id: string): Session | null {
    return this.#open.get(id) ?? null;
  }

  /** Marks it as in use until what comes back is called. */
  use(session: Session): () => void {
    session.uses += 1;
    session.usedAt = this.#now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      session.uses -= 1;
      session.usedAt = this.#now();
    };
  }

  /** Null when there is no room and nobody whose place could be taken. */
  async open(client: string): Promise<Session | null> {
    if (!(await this.#makeRoom(client))) return null;
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => void this.#open.delete(id),
    });
    const server = this.#options.makeServer(client);
    const session: Session = { id, client, transport, server, uses: 0, usedAt: this.#now() };
    // Kept from the beginning: a hundred that come at once are counted one by one.
    this.#open.set(id, session);
    server.server.onerror = this.#options.onError;
    await server.connect(transport);
    return session;
  }

  async closeSession(session: Session): Promise<void> {
    this.#open.delete(session.id);
    try {
      await session.server.close();
    } catch (error) {
      this.#options.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async closeIdle(): Promise<void> {
    const before = this.#now() - this.#options.idleMs;
    const idle = [...this.#open.values()].filter(({ uses, usedAt }) => uses === 0 && usedAt <= before);
    await Promise.all(idle.map((session) => this.closeSession(session)));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#open.values()].map((session) => this.closeSession(session)));
  }

  /** A client makes room among its own first; when all places are taken, the one with the most gives one up. */
  async #makeRoom(client: string): Promise<boolean> {
    const { inAll, each } = this.#options.share;
    const byClient = Map.groupBy(this.#open.values(), (session) => session.client);
    const own = byClient.get(client) ?? [];
    if (own.length >= each) return this.#giveUp(leastUsed(own.filter(({ uses }) => uses === 0)));
    if (this.#open.size < inAll) return true;
    const [most = []] = [...byClient.values()].sort((a, b) => b.length - a.length);
    return most.length > own.length + 1 ? this.#giveUp(leastUsed(most)) : false;
  }

  async #giveUp(session: Session | undefined): Promise<boolean> {
    if (session === undefined) return false;
    await this.closeSession(session);
    return true;
  }
}
