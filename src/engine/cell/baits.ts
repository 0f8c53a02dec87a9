import { posix } from 'node:path';
import type { Event, UntrustedJson } from '../../base/event-schema.ts';
import type { Canary, DecoyFile } from '../decoy/index.ts';
import type { Sighting } from '../sensor/contract.ts';

/**
 * Which openings are readings of a decoy. Walking through a folder is none, and neither is opening a file only to hold a
 * place. A decoy that is linked or moved stays one under its new name.
 */

export interface Bait {
  /** As planted, relative to the home folder; `environment` for the variables. */
  readonly decoy: string;
  readonly canaries: readonly Canary[];
}

const environmentPath = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/environ$/;
const mostAliases = 1024;

/** Bytes as latin1, so that two names which differ stay different. */
function pathOf(field: unknown): string | null {
  const value = field as Partial<Record<'text' | 'base64', string>> | null | undefined;
  if (typeof value?.text === 'string') return posix.normalize(Buffer.from(value.text, 'utf8').toString('latin1'));
  if (typeof value?.base64 === 'string') return posix.normalize(Buffer.from(value.base64, 'base64').toString('latin1'));
  return null;
}

export class Baits {
  readonly #files = new Map<string, Bait>();
  readonly #environment: Bait;

  /** `home` is the path of the home folder inside the box. */
  constructor(home: string, files: readonly DecoyFile[], variables: readonly Canary[]) {
    for (const { path, canaries } of files) {
      // A file without a secret in it only makes its neighbours believable.
      if (canaries.length > 0) this.#files.set(posix.join(home, path), { decoy: path, canaries });
    }
    this.#environment = { decoy: 'environment', canaries: variables };
  }

  /** The decoy that this sighting read, if it read one. */
  touched({ kind, fields }: Pick<Sighting, 'kind' | 'fields'>): Bait | null {
    if (kind === 'link' || kind === 'rename') this.#follow(pathOf(fields.from), pathOf(fields.to));
    if (kind !== 'open' || fields.isFolder === true) return null;
    if (fields.access !== 'read' && fields.access !== 'read-write') return null;
    const path = pathOf(fields.path);
    if (path === null) return null;
    if (environmentPath.test(path) && this.#environment.canaries.length > 0) return this.#environment;
    return this.#files.get(path) ?? null;
  }

  #follow(from: string | null, to: string | null): void {
    if (from === null || to === null || this.#files.size > mostAliases) return;
    const folder = from.endsWith('/') ? from : `${from}/`;
    for (const [path, bait] of [...this.#files]) {
      if (path === from) this.#files.set(to, bait);
      else if (path.startsWith(folder)) this.#files.set(posix.join(to, path.slice(folder.length)), bait);
    }
  }
}

/** What the event about it says. */
export function baitFields(bait: Bait, path: UntrustedJson | undefined): Event['fields'] {
  return {
    decoy: bait.decoy,
    canaries: bait.canaries.map(({ id }) => id),
    ...(path === undefined ? {} : { path }),
  };
}
