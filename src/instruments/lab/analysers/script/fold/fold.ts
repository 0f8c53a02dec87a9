import type { ScriptLanguage } from '../languages.ts';
import type { Profile } from './profile.ts';
import { perl, powershell, python } from './profiles-shell.ts';
import { javascript, php, vbscript } from './profiles-web.ts';
import { reduce } from './reduce.ts';
import { type Constant, isConstant, isSign, type Token, textFrom } from './token.ts';
import { tokenize } from './tokenize.ts';

const profiles: Partial<Record<ScriptLanguage, Profile>> = { javascript, php, vbscript, powershell, python, perl };

export interface FoldedScript {
  readonly text: string;
  /** How many expressions became constants. */
  readonly steps: number;
  readonly decoded: readonly { readonly how: string; readonly text: string }[];
  /** Constants that the script runs. */
  readonly run: readonly { readonly how: string; readonly text: string }[];
}

const mostOutput = 8_000_000;
const mostInput = 3_000_000;

function write(token: Token, profile: Profile): string {
  if (!isConstant(token)) return token.value;
  if (token.kind === 'list') {
    return `[${token.items.map((item) => (typeof item === 'number' ? String(item) : profile.write(item))).join(',')}]`;
  }
  if (token.raw !== undefined && token.raw.length > 0 && token.kind === 'number') return token.raw;
  return token.kind === 'number' ? String(token.value) : profile.write(token.value);
}

/** PowerShell's `iex $x`, `$x | iex`, `&($x)`; VBScript's `Execute x`; calls in the others. */
function runTexts(tokens: readonly Token[], profile: Profile): { how: string; text: string }[] {
  const found: { how: string; text: string }[] = [];
  const add = (how: string, value: Constant | undefined): void => {
    if (value !== undefined && value.kind !== 'number' && found.length < 100)
      found.push({ how, text: textFrom(value) });
  };
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word') continue;
    const name = profile.ignoreCase ? token.value.toLowerCase() : token.value;
    if (!profile.runners.has(name)) continue;
    const next = tokens[index + 1];
    const inner = isSign(next, '(') ? tokens[index + 2] : next;
    if (isConstant(inner)) add(name, inner);
    const before = tokens[index - 2];
    if (isSign(tokens[index - 1], '|') && isConstant(before)) add(name, before);
  }
  return found;
}

/** PowerShell's ticks and its loop over characters become words that the tables know. */
function normalise(tokens: readonly Token[], profile: Profile): Token[] {
  if (profile !== powershell) return [...tokens];
  return tokens.flatMap((token): Token[] => {
    if (token.kind !== 'word') return [token];
    if (token.value.startsWith('|')) {
      const key = /-bxor\s*(0x[\da-f]+|\d+)/i.exec(token.value)?.[1];
      return [
        { kind: 'word', value: '-tochars', before: token.before },
        { kind: 'number', value: Number(key ?? 0), before: ' ' },
      ];
    }
    const plain = token.value.replaceAll('`', '');
    return [plain === token.value ? token : { ...token, value: plain }];
  });
}

export function foldScript(text: string, language: ScriptLanguage, tick: () => void): FoldedScript | undefined {
  const profile = profiles[language];
  if (profile === undefined) return undefined;
  const tokens = normalise(tokenize(text.slice(0, mostInput), profile, tick), profile);
  const reduced = reduce(tokens, profile, tick);
  const parts: string[] = [];
  let length = 0;
  for (const token of reduced.tokens) {
    const part = token.before + write(token, profile);
    length += part.length;
    if (length > mostOutput) break;
    parts.push(part);
  }
  return {
    text: parts.join(''),
    steps: reduced.steps,
    decoded: reduced.decoded,
    run: runTexts(reduced.tokens, profile),
  };
}
