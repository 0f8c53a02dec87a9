import { SourceMap } from 'node:module';
import { posix } from 'node:path';
import { mebibyte } from '../../../../base/limits.ts';
import { readText } from '../read-file.ts';
import type { SourceTree } from './contract.ts';

/** A place in a text, counted from 1. */
export interface Spot {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const largestMapBytes = 16 * mebibyte;

/** Lines of texts and the way back to what they were compiled from; both are made once per file. */
export class Places {
  readonly #tree: SourceTree;
  readonly #starts = new Map<string, readonly number[]>();
  readonly #maps = new Map<string, SourceMap | undefined>();

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  spot(path: string, text: string, offset: number): Spot {
    let starts = this.#starts.get(path);
    if (starts === undefined) {
      starts = lineStarts(text);
      this.#starts.set(path, starts);
    }
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { path, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** Where it stands in what was compiled, when the package says so. */
  original(spot: Spot, text: string): Spot {
    let map = this.#maps.get(spot.path);
    if (!this.#maps.has(spot.path)) {
      map = this.#readMap(spot.path, text);
      this.#maps.set(spot.path, map);
    }
    const entry = map?.findEntry(spot.line - 1, spot.column - 1);
    if (entry === undefined || !('originalSource' in entry) || typeof entry.originalSource !== 'string') return spot;
    const path = posix.normalize(posix.join(posix.dirname(spot.path), entry.originalSource));
    const isInside = !path.startsWith('..') && !posix.isAbsolute(path) && !path.includes(':') && path.length < 1024;
    if (!isInside || !Number.isInteger(entry.originalLine)) return spot;
    return { path, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  }

  #readMap(path: string, text: string): SourceMap | undefined {
    const tail = text.slice(-largestMapBytes);
    const address = [...tail.matchAll(/\/[/*][#@]\s*sourceMappingURL=([^\s*]+)/g)].at(-1)?.[1];
    if (address === undefined) return undefined;
    const content = this.#content(path, address);
    try {
      const payload: unknown = content === undefined ? undefined : JSON.parse(content);
      return isMap(payload) ? new SourceMap(payload) : undefined;
    } catch {
      return undefined;
    }
  }

  #content(path: string, address: string): string | undefined {
    const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/.exec(address);
    if (inline !== null)
      return Buffer.from(inline[2] ?? '', inline[1] === undefined ? 'utf8' : 'base64').toString('utf8');
    const target = posix.normalize(posix.join(posix.dirname(path), address));
    if (!this.#tree.files.includes(target)) return undefined;
    const read = readText(this.#tree.root, target, largestMapBytes);
    return 'problem' in read ? undefined : read.text;
  }
}

type MapPayload = ConstructorParameters<typeof SourceMap>[0];

function isMap(value: unknown): value is MapPayload {
  if (typeof value !== 'object' || value === null) return false;
  const { mappings, sources } = value as { mappings?: unknown; sources?: unknown };
  return (
    typeof mappings === 'string' && Array.isArray(sources) && sources.every((source) => typeof source === 'string')
  );
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
