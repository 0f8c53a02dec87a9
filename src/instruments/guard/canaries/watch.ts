import { describeError } from '../../../base/errors.ts';
import type { StoreHandle } from '../../../engine/store/contract.ts';
import type { CanaryHit, CanaryPlace, CanaryWatch, GuardRecorder } from '../contract.ts';
import {
  type CanaryLeak,
  canariesDefinition,
  describePlanting,
  type PlantingKind,
  type StoredCanary,
} from './documents.ts';
import { LeakBook, listLeaks } from './leak-book.ts';
import { type FileSearch, type FileSearchLimits, searchFiles } from './search-files.ts';
import { makeTokenSearch, type TokenHit, type TokenSearch, type TokenStream } from './token-search.ts';

export interface CanaryWatchOptions {
  readonly store: StoreHandle;
  /** The server that this guard stands in front of. */
  readonly server: string;
  readonly recorder: GuardRecorder | null;
  readonly onLeak?: (leak: CanaryLeak) => void;
  /** A leak that could not be written down: whatever it was found in must not go on. */
  readonly onFailure?: (because: string) => void;
}

export interface CanaryStream {
  feed(bytes: Uint8Array): readonly CanaryHit[];
  end(): readonly CanaryHit[];
}

export interface GuardCanaryWatch extends CanaryWatch {
  readonly server: string;
  /** For what comes in pieces: a connection, the error output. */
  openStream(where: CanaryPlace): CanaryStream;
  searchFiles(paths: readonly string[], limits?: Partial<FileSearchLimits>): Promise<FileSearch>;
  listLeaks(chainId?: string): readonly CanaryLeak[];
  /** Whether there is anything to look for. */
  hasTokens(): boolean;
  /** When everything that was found is in the ledger. */
  settled(): Promise<void>;
}

/** Where a token of the very server that is looked at is a leak too: it was never meant to come out of there. */
const ownLeaks: Readonly<Record<PlantingKind, ReadonlySet<CanaryPlace['channel']>>> = {
  environment: new Set(['results', 'network']),
  file: new Set(['results', 'network']),
  results: new Set(['network']),
  issued: new Set(['network']),
};

/** How long a token that another process has just planted may be unknown here. */
const lookAgainMs = 50;

function isLeak({ plantedIn }: StoredCanary, { server, channel }: CanaryPlace): boolean {
  return plantedIn.server !== server || ownLeaks[plantedIn.kind].has(channel);
}

class Watch implements GuardCanaryWatch {
  readonly server: string;
  readonly #options: CanaryWatchOptions;
  readonly #book: LeakBook;
  #search: TokenSearch | null = null;
  #canaries: readonly StoredCanary[] = [];
  #known = '';
  #generation = -1;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CanaryWatchOptions) {
    this.server = options.server;
    this.#options = options;
    this.#book = new LeakBook(options);
    this.#refresh();
  }

  #refresh(): void {
    const now = performance.now();
    if (now - this.#lookedAt < lookAgainMs) return;
    this.#lookedAt = now;
    try {
      const { store } = this.#options;
      const generation = store.generation();
      if (generation === this.#generation) return;
      const canaries = store
        .collection(canariesDefinition)
        .list()
        .map(({ value }) => value);
      this.#generation = generation;
      const known = JSON.stringify(canaries);
      if (known === this.#known) return;
      this.#known = known;
      this.#canaries = canaries;
      this.#search = canaries.length === 0 ? null : makeTokenSearch(canaries);
    } catch (error) {
      // Those that were known are still searched for.
      this.#options.onFailure?.(`canaries cannot be read: ${describeError(error)}`);
    }
  }

  #current(where: CanaryPlace): TokenSearch | null {
    this.#refresh();
    return this.#search !== null && this.#canaries.some((canary) => isLeak(canary, where)) ? this.#search : null;
  }

  #tell(hits: readonly TokenHit[], where: CanaryPlace): readonly CanaryHit[] {
    if (hits.length === 0) return [];
    const leaks = hits.filter(({ canary }) => isLeak(canary, where));
    for (const hit of leaks) this.#book.tell(hit, where);
    const told = leaks.map(({ canary, encoding }) => ({
      id: canary.id,
      plantedIn: describePlanting(canary.plantedIn),
      encoding,
    }));
    return [...new Map(told.map((hit) => [`${hit.id} ${hit.encoding}`, hit])).values()];
  }

  search(where: CanaryPlace, bytes: Uint8Array): readonly CanaryHit[] {
    return this.#tell(this.#current(where)?.whole(bytes) ?? [], where);
  }

  openStream(where: CanaryPlace): CanaryStream {
    let search: TokenSearch | null = null;
    let stream: TokenStream | null = null;
    let tail: Buffer = Buffer.alloc(0);
    const feed = (bytes: Uint8Array): readonly TokenHit[] => {
      const current = this.#current(where);
      if (current === search) return stream?.feed(bytes) ?? [];
      // Tokens have changed: what is cut at this very moment is seen by looking at the last bytes again.
      const before = stream?.end() ?? [];
      search = current;
      stream = current?.open() ?? null;
      return [...before, ...(stream?.feed(Buffer.concat([tail, bytes])) ?? [])];
    };
    return {
      feed: (bytes) => {
        const hits = feed(bytes);
        tail = Buffer.concat([tail, bytes.subarray(-tailBytes)]).subarray(-tailBytes);
        return this.#tell(hits, where);
      },
      end: () => this.#tell(stream?.end() ?? [], where),
    };
  }

  searchFiles(paths: readonly string[], limits: Partial<FileSearchLimits> = {}): Promise<FileSearch> {
    return searchFiles(paths, (name) => this.openStream({ server: this.server, channel: 'files', name }), limits);
  }

  hasTokens(): boolean {
    this.#refresh();
    return this.#canaries.length > 0;
  }

  listLeaks(chainId?: string): readonly CanaryLeak[] {
    return listLeaks(this.#options.store, chainId);
  }

  settled(): Promise<void> {
    return this.#book.settled();
  }
}

const tailBytes = 1024;

export function openCanaryWatch(options: CanaryWatchOptions): GuardCanaryWatch {
  return new Watch(options);
}
