import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { ResolverFactory } from 'oxc-resolver';
import { readText } from '../../read-file.ts';
import { javaScriptLibrary } from '../builtins/library.ts';
import type { SkippedFile, SourceTree, TaintLimits } from '../contract.ts';
import type { Value } from '../engine/value.ts';
import type { ModuleIr } from '../ir.ts';
import type { SinkTable } from '../sinks.ts';
import type { Site, Target } from '../target.ts';
import { lowerModule } from './lower-module.ts';
import type { Numbers } from './scope.ts';
import { mayRegister, sitesOf } from './sites.ts';
import type { Node } from './tree.ts';
import { parseProgram } from './unit.ts';

const extensions = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json'];
/** A compiled name in an import may stand for the source beside it. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
  '.jsx': ['.tsx'],
};

interface Loaded {
  readonly path: string;
  readonly text: string;
  parsed: ModuleIr | 'unparsable' | undefined;
}

export interface ProgramOptions {
  readonly limits: TaintLimits;
  readonly avoid: readonly string[];
  readonly onParse: (path: string) => void;
}

/** The JavaScript and TypeScript of a package, read and lowered when it is first asked for. */
export class JavaScriptProgram implements Target {
  readonly namespaces = new Map<number, Value>();
  readonly library = javaScriptLibrary;
  readonly sinks: SinkTable;
  readonly skipped: SkippedFile[] = [];
  readonly #tree: SourceTree;
  readonly #files: ReadonlySet<string>;
  readonly #options: ProgramOptions;
  readonly #loaded: Loaded[] = [];
  readonly #indexes = new Map<string, number | undefined>();
  readonly #numbers: Numbers = { nextVariable: 0, nextFunction: 0 };
  readonly #resolver: ResolverFactory | undefined;
  #totalBytes = 0;

  constructor(tree: SourceTree, sinks: SinkTable, options: ProgramOptions) {
    this.#tree = tree;
    this.#files = new Set(tree.files);
    this.#options = options;
    this.sinks = sinks;
    const hasConfig = this.#files.has('tsconfig.json');
    this.#resolver = new ResolverFactory({
      extensions,
      conditionNames: ['node', 'import', 'require', 'default'],
      ...(hasConfig ? { tsconfig: { configFile: posix.join(tree.root, 'tsconfig.json'), references: 'auto' } } : {}),
    });
  }

  /** The index of a file, or undefined when it cannot be had. */
  load(path: string): number | undefined {
    if (this.#indexes.has(path)) return this.#indexes.get(path);
    const index = this.#read(path);
    this.#indexes.set(path, index);
    return index;
  }

  #read(path: string): number | undefined {
    const read = readText(this.#tree.root, path, this.#options.limits.fileBytes);
    if ('problem' in read) {
      this.skipped.push({ path, reason: /bytes, more than/.test(read.problem) ? 'too-large' : 'unreadable' });
      return undefined;
    }
    this.#totalBytes += read.text.length;
    if (this.#totalBytes > this.#options.limits.totalBytes) {
      this.skipped.push({ path, reason: 'over-budget' });
      return undefined;
    }
    return this.#loaded.push({ path, text: read.text, parsed: undefined }) - 1;
  }

  #parsed(index: number): ModuleIr | undefined {
    const loaded = this.#loaded[index];
    if (loaded === undefined || loaded.parsed === 'unparsable') return undefined;
    if (loaded.parsed !== undefined) return loaded.parsed;
    loaded.parsed = 'unparsable';
    try {
      const isAvoided = loaded.path.endsWith('.json') || this.#options.avoid.includes(loaded.path);
      if (!isAvoided) this.#options.onParse(loaded.path);
      const parsed = isAvoided ? undefined : lowerModule(loaded.path, loaded.text, index, this.#numbers);
      if (parsed !== undefined) loaded.parsed = parsed;
    } catch (error) {
      // Nesting that is too deep for the stack is a way to hide; it is told as any other text that is no program.
      if (!(error instanceof RangeError)) throw error;
    }
    if (loaded.parsed === 'unparsable') {
      if (!loaded.path.endsWith('.json')) this.skipped.push({ path: loaded.path, reason: 'unparsable' });
      return undefined;
    }
    return loaded.parsed;
  }

  module(index: number): ModuleIr | undefined {
    return this.#parsed(index);
  }

  /** The tree, made again: it is too large to be kept. */
  treeOf(index: number): Node | undefined {
    return this.#parsed(index) === undefined ? undefined : parseProgram(this.pathOf(index), this.textOf(index));
  }

  mayRegister(index: number): boolean {
    return mayRegister(this.textOf(index));
  }

  sitesOf(index: number): readonly Site[] {
    return mayRegister(this.textOf(index)) ? sitesOf(this.treeOf(index), this.textOf(index)) : [];
  }

  textOf(index: number): string {
    return this.#loaded[index]?.text ?? '';
  }

  pathOf(index: number): string {
    return this.#loaded[index]?.path ?? '';
  }

  /** Files whose text was parsed. */
  get analysed(): readonly string[] {
    return this.#loaded.filter(({ parsed }) => parsed !== undefined && parsed !== 'unparsable').map(({ path }) => path);
  }

  resolve(from: number, request: string): number | undefined {
    if (isBuiltin(request) || request === '') return undefined;
    const folder = posix.dirname(this.pathOf(from));
    const path = request.startsWith('.')
      ? this.#near(posix.normalize(posix.join(folder, request)))
      : this.#named(folder, request);
    return path === undefined ? undefined : this.load(path);
  }

  #near(path: string): string | undefined {
    const extension = posix.extname(path);
    const stem = path.slice(0, path.length - extension.length);
    const candidates = [
      path,
      ...(aliases[extension] ?? []).map((other) => `${stem}${other}`),
      ...extensions.map((other) => `${path}${other}`),
      ...extensions.map((other) => posix.join(path, `index${other}`)),
    ];
    return candidates.find((candidate) => this.#files.has(candidate));
  }

  /** Names that the package gives to its own files: `#lib`, `@/lib`, its own name. */
  #named(folder: string, request: string): string | undefined {
    const isOwn = /^[#@~$]|^src\//.test(request);
    if (!isOwn || this.#resolver === undefined) return undefined;
    const { path } = this.#resolver.sync(posix.join(this.#tree.root, folder), request);
    const relative = path === undefined ? undefined : posix.relative(this.#tree.root, path);
    if (relative === undefined || relative.includes('node_modules/')) return undefined;
    return this.#files.has(relative) ? relative : undefined;
  }
}
