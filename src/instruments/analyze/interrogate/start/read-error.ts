import type { ErrorRules, WishKind } from './rules.ts';

/** What the output of a start that failed asks for. */

export interface Wish {
  readonly kind: WishKind;
  /** Name of the variable, option, program or module; a port's number. */
  readonly name: string;
}

export interface ErrorWishes {
  readonly wishes: readonly Wish[];
  readonly usage: readonly string[];
}

const mostLines = 200;
const longestLine = 500;
const mostWishes = 32;
/** Colours of a terminal stand between the words. */
const colours = /\u001b\[[0-9;?]*[A-Za-z]/g;
/** In capitals like a variable, and none that a server waits for. */
const ordinaryWords =
  /^(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|USAGE|NOTE|HTTP|HTTPS|JSON|MCP|API|STDIO|NODE_ENV|NODE_OPTIONS|PATH|HOME|ERR_[A-Z_]+|E[A-Z]{4,})$/;

export function readError(text: string, { patterns, usage }: ErrorRules): ErrorWishes {
  const lines = text.replace(colours, '').split(/\r?\n/).slice(-mostLines);
  const wishes = new Map<string, Wish>();
  const usages: string[] = [];
  for (const line of lines.map((each) => each.slice(0, longestLine))) {
    const told = usage.exec(line)?.[1];
    if (told !== undefined) usages.push(told);
    for (const { kind, pattern } of patterns) {
      const found = pattern.exec(line);
      const name = found?.slice(1).find((group) => group !== undefined);
      if (name === undefined || (kind === 'variable' && ordinaryWords.test(name))) continue;
      wishes.set(`${kind} ${name}`, { kind, name });
    }
    // Lists of variables come with one per line, or with commas between.
    if (/(?:required|missing|must|not set|environment variable)/i.test(line)) {
      for (const [, name = ''] of line.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)) {
        if (!ordinaryWords.test(name)) wishes.set(`variable ${name}`, { kind: 'variable', name });
      }
    }
    if (wishes.size > mostWishes) break;
  }
  return { wishes: [...wishes.values()].slice(0, mostWishes), usage: usages.slice(0, 4) };
}
