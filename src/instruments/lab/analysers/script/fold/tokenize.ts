import type { Profile } from './profile.ts';
import type { Token } from './token.ts';

/** Cuts a script into tokens, without ever failing: what is not understood is a sign. */

const numberPattern = /0[xX][0-9a-fA-F]{1,12}|\d{1,15}(?:\.\d{1,15})?/y;
const blankPattern = /[ \t\r\n\f\v\u00a0\ufeff]+/y;
const mostTokens = 600_000;

function sticky(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** After these a slash begins a pattern, not a division. */
const beforePattern = new Set(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', ';', '+', 'return', 'typeof']);

function readBlank(text: string, from: number, profile: Profile): number {
  let at = from;
  for (;;) {
    const blank = sticky(blankPattern, text, at);
    if (blank !== undefined) at += blank.length;
    const comment = sticky(profile.comment, text, at);
    if (comment === undefined || comment.length === 0) return at;
    at += comment.length;
  }
}

export function tokenize(text: string, profile: Profile, tick: () => void): Token[] {
  const tokens: Token[] = [];
  // A quote that never closes is met once: later ones of its sort do not close either.
  const open = new Set<string>();
  let previous: Token | undefined;
  const push = (token: Token): void => {
    tokens.push(token);
    previous = token;
  };
  for (let at = 0; at < text.length; ) {
    if (tokens.length % 4096 === 0) tick();
    const start = readBlank(text, at, profile);
    const before = text.slice(at, start);
    at = start;
    if (at >= text.length || tokens.length >= mostTokens) {
      push({ kind: 'sign', value: text.slice(at), before });
      break;
    }
    const character = text[at] ?? '';
    const sort = `${character}${profile.wide?.(text, at) ?? ''}`;
    const quoted =
      profile.quoteStart.test(text.slice(at, at + 4)) && !open.has(sort) ? profile.quote(text, at) : undefined;
    if (quoted !== undefined) {
      const raw = text.slice(at, quoted.end);
      if (quoted.dynamic === true) push({ kind: 'word', value: raw, before });
      else push({ kind: 'text', value: quoted.value, before, raw });
      at = quoted.end;
      continue;
    }
    if (profile.multiline.includes(character)) open.add(sort);
    if (
      character === '/' &&
      profile.patterns &&
      (previous === undefined || beforePattern.has('value' in previous ? String(previous.value) : ''))
    ) {
      const pattern = sticky(/\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,500}\]){1,1000}\/[a-z]{0,8}/y, text, at);
      if (pattern !== undefined) {
        push({ kind: 'word', value: pattern, before });
        at += pattern.length;
        continue;
      }
    }
    const number = sticky(profile.number ?? numberPattern, text, at);
    if (number !== undefined && number.length > 0) {
      push({ kind: 'number', value: Number(number.replace(/^&h/i, '0x').replace(/&$/, '')), before, raw: number });
      at += number.length;
      continue;
    }
    const word = sticky(profile.word, text, at);
    if (word !== undefined && word.length > 0) {
      push({ kind: 'word', value: word, before });
      at += word.length;
      continue;
    }
    push({ kind: 'sign', value: character, before });
    at += 1;
  }
  return tokens;
}
