import { fromBase64, fromHex, inflateGzip, reversed, rot13 } from './decoders.ts';
import { cQuote, unescapeAll } from './fold/quotes.ts';

/** Unix shell: quoting tricks are put right, and pipelines of decoders are run through by us. */

export interface ShellFold {
  readonly text: string;
  readonly steps: number;
  readonly decoded: readonly { readonly how: string; readonly text: string }[];
}

type Stage = (input: string) => string | undefined;

/** The programs that such pipelines are made of. */
const stages: readonly (readonly [RegExp, string, Stage])[] = [
  [
    /^(?:base64\s+(?:-d|-D|-di|--decode|-i\s+-d)|openssl\s+(?:base64|enc\s+-base64)\s+-d(?:\s+-A)?)\b/,
    'base64',
    fromBase64,
  ],
  [/^(?:gunzip|gzip\s+-dc?|zcat)\b/, 'gzip', inflateGzip],
  [/^xxd\s+(?:-r\s+-p|-p\s+-r|-rp)\b/, 'hexadecimal', fromHex],
  [/^rev\b/, 'reversed', (text) => reversed(text.trimEnd())],
  [/^tr\s+['"]?A-Za-z['"]?\s+['"]?N-ZA-Mn-za-m['"]?/, 'rot13', rot13],
  [/^(?:cat|tee|tr\s+-d\s+\S{1,20})\b/, 'unchanged', (text) => text],
];
const mostStages = 12;
const mostPipelines = 300;

/** The text that `echo`, `printf` or `<<<` starts a pipeline with. */
const source =
  /(?:\b(echo|printf)\s+((?:-[neE]+\s+)*)|<<<\s*)('[^']{4,}'|"(?:[^"\\]|\\.){4,}"|\$'(?:[^'\\]|\\.){4,}'|[A-Za-z0-9+/=]{16,})/g;

function literal(quoted: string): string {
  if (quoted.startsWith("$'")) return unescapeAll(quoted.slice(2, -1));
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  return quoted.startsWith('"') ? (cQuote(quoted, 0, true)?.value ?? quoted.slice(1, -1)) : quoted;
}

function runStages(text: string, rest: string): { how: string[]; text: string } {
  let current = text;
  const how: string[] = [];
  let tail = rest;
  for (let count = 0; count < mostStages; count += 1) {
    const pipe = /^\s*\|\s*/.exec(tail);
    if (pipe === null) break;
    const command = tail.slice(pipe[0].length);
    const stage = stages.find(([pattern]) => pattern.test(command));
    const result = stage?.[2](current);
    if (stage === undefined || result === undefined) break;
    current = result;
    how.push(stage[1]);
    tail = command.slice((stage[0].exec(command)?.[0] ?? '').length);
  }
  return { how, text: current };
}

export function foldShell(text: string, tick: () => void): ShellFold {
  const decoded: { how: string; text: string }[] = [];
  let steps = 0;
  for (const match of text.matchAll(source)) {
    if (decoded.length >= mostPipelines) break;
    tick();
    const [all, program, flags = '', quoted = ''] = match;
    const plain = literal(quoted);
    const start = program === 'printf' || flags.includes('e') ? unescapeAll(plain) : plain;
    const from = match.index + all.length;
    const { how, text: result } = runStages(start, text.slice(from, from + 600));
    if (how.length > 0 || start !== plain) decoded.push({ how: ['shell', ...how].join(', '), text: result });
  }
  for (const match of text.matchAll(/base64\s+(?:-d|--decode)\s*<<<\s*['"]?([A-Za-z0-9+/=]{8,})/g)) {
    const result = fromBase64(match[1] ?? '');
    if (result !== undefined && decoded.length < mostPipelines) decoded.push({ how: 'shell, base64', text: result });
  }
  const count = (value: string): string => {
    steps += 1;
    return value;
  };
  const folded = text
    .replaceAll(/\$'((?:[^'\\\n]|\\.){1,20000})'/g, (_, inner: string) => count(`'${unescapeAll(inner)}'`))
    // Empty quotes, and quotes and backslashes inside words, change nothing but how it looks.
    .replaceAll(/(?<=\w)(?:''|"")(?=\w)/g, () => count(''))
    .replaceAll(/(?<=\w)\\(?=[A-Za-z])(?![ntr0x])/g, () => count(''))
    .replaceAll(/\$\{IFS\}|\$IFS(?:\$\d)?/g, () => count(' '));
  const variables = new Map<string, string>();
  for (const match of folded.matchAll(
    /(?:^|[;\n&])[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,60})=(?:'([^'\n]{0,5000})'|"([^"$`\n]{0,5000})"|([\w./:+=-]{1,5000}))(?=[\s;&]|$)/g,
  )) {
    if (variables.size < 2000) variables.set(match[1] ?? '', match[2] ?? match[3] ?? match[4] ?? '');
  }
  let length = 0;
  const whole = folded.replaceAll(
    /\$(?:\{([A-Za-z_]\w{0,60})\}|([A-Za-z_]\w{0,60}))/g,
    (all, long: string | undefined, short: string | undefined) => {
      const value = variables.get(long ?? short ?? '');
      length += value?.length ?? 0;
      if (value === undefined || length > 2_000_000) return all;
      return count(value);
    },
  );
  return { text: whole, steps, decoded };
}
