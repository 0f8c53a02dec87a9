/** One line of VBA as tokens; comments end it. */

export type Token =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'word'; readonly value: string }
  | { readonly type: 'sign'; readonly value: string };

const maximalTokens = 20_000;
const pattern =
  /\s+|"([^"]*(?:""[^"]*)*)"|&H([0-9a-f]{1,8})&?|&O([0-7]{1,11})&?|([0-9]+(?:\.[0-9]+)?)[%&!#@]?(?![\w])|([A-Za-z_\u0080-\uffff][\w.\u0080-\uffff]*\$?)|(.)/gisuy;

export function tokenise(line: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  for (const match of line.matchAll(pattern)) {
    const [whole, quoted, hex, octal, decimal, word, sign] = match;
    if (sign === "'" || word?.toLowerCase() === 'rem') break;
    if (quoted !== undefined) tokens.push({ type: 'string', value: quoted.replaceAll('""', '"') });
    else if (hex !== undefined) tokens.push({ type: 'number', value: Number.parseInt(hex, 16) });
    else if (octal !== undefined) tokens.push({ type: 'number', value: Number.parseInt(octal, 8) });
    else if (decimal !== undefined) tokens.push({ type: 'number', value: Number(decimal) });
    else if (word !== undefined) tokens.push({ type: 'word', value: word });
    else if (sign !== undefined) tokens.push({ type: 'sign', value: whole });
    if (tokens.length >= maximalTokens) break;
  }
  return tokens;
}
