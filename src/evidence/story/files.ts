import { posix } from 'node:path';
import type { Analysis } from '../../base/analysis-schema.ts';
import type { Event, UntrustedJson } from '../../base/event-schema.ts';
import { isHarmlessDevice, sortPath } from '../../engine/sensor/history/index.ts';
import { most, type StoryFacts } from './facts.ts';
import { untrustedOf } from './texts.ts';

type FileUse = Analysis['files'][number];
type Access = FileUse['access'];
type Is = FileUse['is'];

const longestPath = 4096;
/** Files that are told apart; of a million of them the rest is only counted. */
const mostKept = 20_000;

const accesses: ReadonlyMap<unknown, readonly Access[]> = new Map([
  ['read', ['read']],
  ['write', ['write']],
  ['read-write', ['read', 'write']],
]);

/** Which fields of which events name a file, and what was done to it. */
const touches: Readonly<Partial<Record<Event['kind'], readonly (readonly [field: string, access: Access])[]>>> = {
  unlink: [['path', 'remove']],
  rename: [
    ['from', 'remove'],
    ['to', 'write'],
  ],
  link: [['to', 'write']],
  mkdir: [['path', 'write']],
  chmod: [['path', 'write']],
  'bait-read': [['path', 'read']],
};

function touchesOf({ kind, fields }: Event): readonly (readonly [field: string, access: Access])[] {
  if (kind === 'open') return (accesses.get(fields.access) ?? []).map((access) => ['path', access]);
  // The disk tells at the end what nobody saw being written. Folders are also made by what shows files to a box.
  if (kind === 'disk-change' && fields.type === 'folder') return [];
  if (kind === 'disk-change') return [['path', fields.change === 'removed' ? 'remove' : 'write']];
  return touches[kind] ?? [];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

const order: readonly Is[] = ['decoy', 'other', 'own', 'system'];

/** Every file that was touched, once per way of touching it. */
export class FileUses {
  readonly #ownFolders: readonly string[];
  readonly #decoys: ReadonlySet<string>;
  readonly #uses = new Map<string, FileUse>();
  #notKept = 0;

  constructor({ home, ownFolders, decoys }: StoryFacts) {
    this.#ownFolders = ownFolders;
    this.#decoys = new Set(decoys.map((path) => (path.startsWith('/') ? path : posix.join(home, path))));
  }

  see(event: Event, ms: number): void {
    // Looking for a file that is not there touches nothing; being refused one is worth telling.
    if (event.outcome === 'failed') return;
    for (const [field, access] of touchesOf(event)) {
      const path = untrustedOf(event.fields[field], longestPath);
      if (path !== null) this.#note(event, path, access, ms);
    }
  }

  #note({ kind, phase, seq }: Event, path: UntrustedJson, access: Access, ms: number): void {
    const key = `${access} ${'text' in path ? path.text : path.base64}`;
    const known = this.#uses.get(key);
    if (known !== undefined) {
      // The opening itself was told already.
      if (kind === 'bait-read') this.#uses.set(key, { ...known, is: 'decoy' });
      else if (kind !== 'disk-change') known.count += 1;
      return;
    }
    const is = kind === 'bait-read' ? 'decoy' : this.#sort(path);
    if (is === null) return;
    if (this.#uses.size >= mostKept && is !== 'decoy') this.#notKept += 1;
    else this.#uses.set(key, { path, access, is, count: 1, phase, firstMs: ms, event: seq });
  }

  #sort(path: UntrustedJson): Is | null {
    if (!('text' in path)) return 'other';
    if (isHarmlessDevice(path.text)) return null;
    const whole = path.text.startsWith('/') ? posix.normalize(path.text) : path.text;
    if (this.#decoys.has(whole)) return 'decoy';
    if (this.#ownFolders.some((folder) => isBelow(whole, folder))) return 'own';
    return sortPath(whole) === 'system' ? 'system' : 'other';
  }

  /** What matters most first, so that what is cut off is what every program reads. */
  end(): { readonly files: Analysis['files']; readonly leftOut: number } {
    const all = [...this.#uses.values()].toSorted(
      (left, right) => order.indexOf(left.is) - order.indexOf(right.is) || left.firstMs - right.firstMs,
    );
    const files = all.slice(0, most.files);
    return { files, leftOut: this.#notKept + all.length - files.length };
  }
}
