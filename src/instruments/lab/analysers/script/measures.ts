import type { Facts } from '../../contract.ts';

/** Numbers that tell written code from made code. */
export interface Measures {
  readonly lines: number;
  readonly longestLine: number;
  readonly entropy: number;
  /** Escapes per thousand characters. */
  readonly escapes: number;
  /** Share of characters inside the longest unbroken run of base64 characters. */
  readonly longestRun: number;
  readonly signs: number;
}

export function measure(text: string): Measures {
  const part = text.slice(0, 2_000_000);
  const counts = new Map<number, number>();
  let lines = 1;
  let longestLine = 0;
  let line = 0;
  let run = 0;
  let longestRun = 0;
  let signs = 0;
  for (let at = 0; at < part.length; at += 1) {
    const code = part.charCodeAt(at);
    counts.set(code, (counts.get(code) ?? 0) + 1);
    if (code === 10) {
      lines += 1;
      longestLine = Math.max(longestLine, line);
      line = 0;
    } else line += 1;
    const letter =
      (code >= 48 && code <= 57) ||
      (code >= 65 && code <= 90) ||
      (code >= 97 && code <= 122) ||
      code === 43 ||
      code === 47;
    run = letter ? run + 1 : 0;
    longestRun = Math.max(longestRun, run);
    if (!letter && code > 32 && code < 127) signs += 1;
  }
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / part.length) * Math.log2(count / part.length);
  const escapes =
    part.match(
      /\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|%u?[0-9a-fA-F]{2}|&#x?[0-9a-fA-F]{2,5};|\bchrw?\s?\(|`[a-z]|\^[a-z]/gi,
    )?.length ?? 0;
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  return {
    lines,
    longestLine: Math.max(longestLine, line),
    entropy: part.length === 0 ? 0 : round(entropy),
    escapes: part.length === 0 ? 0 : round((escapes * 1000) / part.length),
    longestRun,
    signs: part.length === 0 ? 0 : round(signs / part.length),
  };
}

export function measureFacts(measures: Measures): Facts {
  return {
    lines: measures.lines,
    longest_line: measures.longestLine,
    entropy: measures.entropy,
    escapes_per_thousand: measures.escapes,
    longest_run: measures.longestRun,
    sign_share: measures.signs,
  };
}
