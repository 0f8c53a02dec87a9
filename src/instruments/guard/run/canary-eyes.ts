import { asObject, asStrings } from '../../../base/json-shape.ts';
import { mebibyte, secondMs } from '../../../base/limits.ts';
import type { Box } from '../../../engine/box/contract.ts';
import { joinLabels } from '../../../engine/decoy/recognise/labels.ts';
import type { EgressGateOptions } from '../../../engine/net/egress/gate.ts';
import type { NetEvent } from '../../../engine/net/event.ts';
import type { CanaryStream, GuardCanaryWatch } from '../canaries/watch.ts';
import type { CanaryHit, GuardMode } from '../contract.ts';

/**
 * Canaries besides those in messages: in what a server sends over the network, as far as it is not encrypted, in the names
 * that it looks up, and in the files that it leaves.
 */

export type SeeingWatch = Pick<GuardCanaryWatch, 'openStream' | 'search' | 'settled' | 'hasTokens'>;

export interface CanaryEyesOptions {
  readonly server: string;
  readonly mode: GuardMode;
  readonly onHits: (hits: readonly CanaryHit[], where: string) => void;
}

/** Of the box's own folders, when it ends. */
const fileCaps = { files: 500, fileBytes: 4 * mebibyte, allBytes: 64 * mebibyte };
const searchMs = 10 * secondMs;
const mostZones = 200;

function askedNames({ kind, fields }: Pick<NetEvent, 'kind' | 'fields'>): readonly string[] {
  if (kind !== 'dns-query' || !Array.isArray(fields.questions)) return [];
  return asStrings((fields.questions as readonly unknown[]).map((question) => asObject(question).name));
}

export class CanaryEyes {
  readonly #options: CanaryEyesOptions;
  readonly #watch = Promise.withResolvers<SeeingWatch>();
  readonly #zones = new Map<string, CanaryStream>();

  constructor(options: CanaryEyesOptions) {
    this.#options = options;
    // Nobody may be waiting for it when the server never started.
    this.#watch.promise.catch(() => undefined);
  }

  open(watch: SeeingWatch): void {
    this.#watch.resolve(watch);
  }

  giveUp(error: unknown): void {
    this.#watch.reject(error);
  }

  /** Nothing is sent before somebody looks at it; where only telling was asked for, it is told and goes on. */
  readonly inspect: NonNullable<EgressGateOptions['inspect']> = async ({ host, port }) => {
    const { server, mode } = this.#options;
    const name = `${host}:${port}`.slice(0, 300);
    const stream = (await this.#watch.promise).openStream({ server, channel: 'network', name });
    return (bytes) => {
      const hits = stream.feed(bytes);
      this.#tell(hits, `what it sends to ${name}`);
      return hits.length > 0 && mode === 'enforce' ? 'a canary was on its way out' : null;
    };
  };

  /** A token that is cut up over several names is put together again, zone by zone. */
  async lookUp(events: readonly Pick<NetEvent, 'kind' | 'fields'>[]): Promise<void> {
    for (const name of events.flatMap(askedNames)) {
      const zone = name.split('.').slice(-2).join('.').slice(0, 255);
      const watch = await this.#watch.promise;
      let stream = this.#zones.get(zone);
      if (stream === undefined) {
        if (this.#zones.size >= mostZones) continue;
        stream = watch.openStream({ server: this.#options.server, channel: 'network', name: `names of ${zone}` });
        this.#zones.set(zone, stream);
      }
      this.#tell(stream.feed(joinLabels(name)), `names that it looks up in ${zone}`);
    }
  }

  /** What the server has written to the folders of its box. Bounded in files, bytes and time. */
  async searchFiles(box: Pick<Box, 'diff' | 'get'>): Promise<void> {
    const watch = await this.#watch.promise.catch(() => null);
    if (watch === null) return;
    if (watch.hasTokens()) {
      const { changes } = await box.diff();
      const until = performance.now() + searchMs;
      const written = changes.filter(({ kind, type }) => kind !== 'removed' && type === 'file');
      let bytes = 0;
      for (const { path, pathBytes, sizeBytes } of written.slice(0, fileCaps.files)) {
        bytes += Math.min(sizeBytes, fileCaps.fileBytes);
        if (bytes > fileCaps.allBytes || performance.now() > until) break;
        const content = await box.get(pathBytes, fileCaps.fileBytes).catch(() => null);
        if (content === null) continue;
        const name = path.slice(0, 300);
        this.#tell(watch.search({ server: this.#options.server, channel: 'files', name }, content), `the file ${name}`);
      }
    }
    await watch.settled();
  }

  #tell(hits: readonly CanaryHit[], where: string): void {
    if (hits.length > 0) this.#options.onHits(hits, where);
  }
}
