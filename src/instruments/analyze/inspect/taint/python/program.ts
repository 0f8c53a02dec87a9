import { posix } from 'node:path';
import { readText } from '../../read-file.ts';
import type { SkippedFile, SourceTree, TaintLimits } from '../contract.ts';
import type { Value } from '../engine/value.ts';
import type { ModuleIr } from '../ir.ts';
import type { SinkTable } from '../sinks.ts';
import type { Site, Target } from '../target.ts';
import { pythonLibrary } from './library/library.ts';
import { lowerModule, type ParsedModule } from './lower-module.ts';
import { mayRegister } from './registrations.ts';
import type { Numbers } from './scope.ts';
import { sitesOf } from './sites.ts';

interface Loaded {
  readonly path: string;
  readonly text: string;
  parsed: ParsedModule | 'unparsable' | undefined;
}

/** The Python of a package, read and lowered when it is first asked for. */
export class PythonProgram implements Target {
  readonly namespaces = new Map<number, Value>();
  readonly library = pythonLibrary;
  readonly sinks: SinkTable;
  readonly skipped: SkippedFile[] = [];
  readonly #tree: SourceTree;
  readonly #files: ReadonlySet<string>;
  readonly #limits: TaintLimits;
  readonly #loaded: Loaded[] = [];
  readonly #indexes = new Map<string, number | undefined>();
  readonly #numbers: Numbers = { nextVariable: 0, nextFunction: 0 };
  #totalBytes = 0;

  constructor(tree: SourceTree, sinks: SinkTable, limits: TaintLimits) {
    this.#tree = tree;
    this.#files = new Set(tree.files);
    this.#limits = limits;
    this.sinks = sinks;
  }

  /** The index of a file, or undefined when it cannot be had. */
  load(path: string): number | undefined {
    if (this.#indexes.has(path)) return this.#indexes.get(path);
    const index = this.#read(path);
    this.#indexes.set(path, index);
    return index;
  }

  #read(path: string): number | undefined {
    const read = readText(this.#tree.root, path, this.#limits.fileBytes);
    if ('problem' in read) {
      this.skipped.push({ path, reason: /bytes, more than/.test(read.problem) ? 'too-large' : 'unreadable' });
      return undefined;
    }
    this.#totalBytes += read.text.length;
    if (this.#totalBytes > this.#limits.totalBytes) {
      this.skipped.push({ path, reason: 'over-budget' });
      return undefined;
    }
    return this.#loaded.push({ path, text: read.text, parsed: undefined }) - 1;
  }

  #parsed(index: number): ParsedModule | undefined {
    const loaded = this.#loaded[index];
    if (loaded === undefined || loaded.parsed === 'unparsable') return undefined;
    if (loaded.parsed !== undefined) return loaded.parsed;
    loaded.parsed = 'unparsable';
    try {
      loaded.parsed = lowerModule(
        loaded.path,
        loaded.text,
        index,
        this.#numbers,
        (request) => this.#find(loaded.path, request) !== undefined,
      );
    } catch {
      // The parser throws plain errors; one of the older language, or nesting too deep for the stack, is told and left.
      this.skipped.push({ path: loaded.path, reason: 'unparsable' });
      return undefined;
    }
    return loaded.parsed;
  }

  module(index: number): ModuleIr | undefined {
    return this.#parsed(index)?.ir;
  }

  textOf(index: number): string {
    return this.#loaded[index]?.text ?? '';
  }

  pathOf(index: number): string {
    return this.#loaded[index]?.path ?? '';
  }

  mayRegister(index: number): boolean {
    return this.pathOf(index).endsWith('__main__.py') || mayRegister(this.textOf(index));
  }

  /** Places where handlers are handed over, so that functions which nobody calls can be walked for them. */
  sitesOf(index: number): readonly Site[] {
    const parsed = this.#parsed(index);
    return parsed === undefined ? [] : sitesOf(parsed.tree, parsed.offsets);
  }

  /** Files whose text was parsed. */
  get analysed(): readonly string[] {
    return this.#loaded.filter(({ parsed }) => parsed !== undefined && parsed !== 'unparsable').map(({ path }) => path);
  }

  resolve(from: number, request: string): number | undefined {
    const path = this.#find(this.pathOf(from), request);
    return path === undefined ? undefined : this.load(path);
  }

  /** Dots go up from the package of the asking module; other names are looked for in every folder above it. */
  #find(from: string, request: string): string | undefined {
    const dots = /^\.*/.exec(request)?.[0].length ?? 0;
    const names = request
      .slice(dots)
      .split('.')
      .filter((name) => name !== '');
    let folder = posix.dirname(from);
    if (dots > 0) {
      for (let level = 1; level < dots; level += 1) folder = posix.dirname(folder);
      return this.#file(folder, names);
    }
    for (let depth = 0; depth < 64; depth += 1) {
      const found = names.length === 0 ? undefined : this.#file(folder, names);
      if (found !== undefined && found !== from) return found;
      if (folder === '.' || folder === '/') return this.#file('src', names);
      folder = posix.dirname(folder);
    }
    return undefined;
  }

  #file(folder: string, names: readonly string[]): string | undefined {
    const path = posix.join(folder, ...names);
    return [`${path}.py`, posix.join(path, '__init__.py')].find((candidate) => this.#files.has(candidate));
  }
}
