import { readFileSync } from 'node:fs';
import type { Compiler, Rules } from '@virustotal/yara-x';
import { describeError } from '../../../../base/errors.ts';

/** Compiles rules and scans with them. The engine is WebAssembly: its memory has to be given back by hand. */

export interface RuleFile {
  /** Shown in notes, and the namespace of its rules. */
  readonly name: string;
  readonly source: string;
}

export interface YaraMatch {
  readonly identifier: string;
  readonly namespace: string;
  readonly isPrivate: boolean;
  readonly tags: readonly string[];
  readonly metadata: readonly { readonly identifier: string; readonly value: unknown }[];
  readonly patterns: readonly {
    readonly identifier: string;
    readonly isPrivate: boolean;
    readonly matches: readonly { readonly offset: number; readonly length: number }[];
  }[];
}

export interface CompiledRules {
  readonly rules: Rules;
  readonly notes: readonly string[];
}

const mostMatches = 16;

function explain(name: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = /line:(\d+)/.exec(text)?.[1];
  const first = describeError(text.split('\n')[0] ?? '').slice(0, 200);
  return `${name}${line === undefined ? '' : `:${line}`}: ${first}`;
}

export class YaraEngine {
  readonly #makeCompiler: () => Compiler;

  private constructor(makeCompiler: () => Compiler) {
    this.#makeCompiler = makeCompiler;
  }

  static async load(): Promise<YaraEngine> {
    const yara = await import('@virustotal/yara-x');
    const module = readFileSync(new URL('./yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x')));
    yara.initSync({ module });
    return new YaraEngine(() => new yara.Compiler());
  }

  /** A file with a mistake is left out: one bad rule must not cost all others. */
  compile(files: readonly RuleFile[]): CompiledRules {
    try {
      return { rules: this.#compileAll(files), notes: [] };
    } catch {
      const mistakes = files.map((file) => this.#findMistake(file));
      const rules = this.#compileAll(files.filter((_, index) => mistakes[index] === null));
      return { rules, notes: mistakes.filter((mistake) => mistake !== null) };
    }
  }

  #compileAll(files: readonly RuleFile[]): Rules {
    using compiler = this.#makeCompiler();
    for (const { name, source } of files) {
      compiler.newNamespace(name);
      compiler.addSource(source);
    }
    return compiler.build();
  }

  #findMistake({ name, source }: RuleFile): string | null {
    using compiler = this.#makeCompiler();
    try {
      compiler.newNamespace(name);
      compiler.addSource(source);
      return null;
    } catch (error) {
      return explain(name, error);
    }
  }
}

export function scan(rules: Rules, bytes: Uint8Array): readonly YaraMatch[] {
  using scanner = rules.scanner();
  scanner.setMaxMatchesPerPattern(mostMatches);
  const { matches = [] }: { matches?: readonly YaraMatch[] } = scanner.scan(bytes);
  return matches.filter(({ isPrivate }) => !isPrivate);
}
