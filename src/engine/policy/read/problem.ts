import { forTerminal, untrusted } from '../../../base/untrusted.ts';

/** Why a policy cannot be used. */
export interface Problem {
  /** Where it stands in the file, such as `network.rules[2].port`; empty for the whole. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
  /** The valid key or name that is closest to what was written. */
  readonly nearest?: string;
}

/** Something that a reader should know about a policy that can be used. */
export interface Notice {
  /** Stable name, such as `invisible-characters`. */
  readonly id: string;
  readonly path: string;
  readonly what: string;
}

/** What one reading has come upon so far. */
export interface Findings {
  readonly problems: Problem[];
  readonly notices: Notice[];
}

const longestShown = 80;

export function quote(text: string): string {
  return JSON.stringify(forTerminal(untrusted(text, longestShown))).replaceAll('\\\\', '\\');
}

/** A value from outside, short and safe to print. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** `network` and `rules` become `network.rules`; numbers become `[2]`; strange keys are quoted. */
export function joinPath(base: string, ...parts: readonly PropertyKey[]): string {
  return parts.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`;
    const name = String(part);
    const isPlain = /^[A-Za-z_$][\w$-]*$/.test(name);
    if (!isPlain) return `${path}[${quote(name)}]`;
    return path === '' ? name : `${path}.${name}`;
  }, base);
}

export function describeProblem({ path, expected, found, nearest }: Problem): string {
  const meant = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
  return `${path === '' ? 'the policy' : path}: expected ${expected}, found ${found}${meant}`;
}
