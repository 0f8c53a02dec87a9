import { bits } from './bits.ts';

/**
 * Which characters a regular expression lets through. The target's expression is read and never run: one that takes for
 * ever to match is part of what a target may contain. What is not understood lets everything through.
 */
export interface Alphabet {
  /** By code, ASCII only. */
  readonly allowed: readonly boolean[];
  readonly beyond: boolean;
}

const size = 128;

function set(test: (code: number) => boolean, beyond: boolean): Alphabet {
  return { allowed: Array.from({ length: size }, (_, code) => test(code)), beyond };
}

const everything = set(() => true, true);
const nothing = set(() => false, false);

function invert(alphabet: Alphabet): Alphabet {
  return { allowed: alphabet.allowed.map((is) => !is), beyond: !alphabet.beyond };
}

function union(left: Alphabet, right: Alphabet): Alphabet {
  return {
    allowed: left.allowed.map((is, code) => is || right.allowed[code] === true),
    beyond: left.beyond || right.beyond,
  };
}

function one(character: string, ignoreCase: boolean): Alphabet {
  const forms = ignoreCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
  const codes = forms.map((form) => form.charCodeAt(0));
  return set(
    (code) => codes.includes(code),
    codes.some((code) => code >= size),
  );
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isWord = (code: number) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

const classes: Readonly<Record<string, Alphabet>> = {
  d: set(isDigit, false),
  w: set(isWord, false),
  s: set(isSpace, true),
  D: invert(set(isDigit, false)),
  W: invert(set(isWord, false)),
  S: set((code) => !isSpace(code), true),
  b: nothing,
  B: nothing,
  n: one('\n', false),
  r: one('\r', false),
  t: one('\t', false),
};

interface Read {
  readonly alphabet: Alphabet;
  readonly next: number;
}

function readEscape(source: string, at: number, ignoreCase: boolean): Read {
  const letter = source[at + 1] ?? '';
  const known = classes[letter];
  if (known !== undefined) return { alphabet: known, next: at + 2 };
  const hex = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(source.slice(at, at + 6));
  if (hex !== null) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? '0', 16);
    return { alphabet: one(String.fromCharCode(code), ignoreCase), next: at + hex[0].length };
  }
  if (/[a-zA-Z0-9]/.test(letter)) return { alphabet: everything, next: at + 2 };
  return { alphabet: one(letter, ignoreCase), next: at + 2 };
}

function readClass(source: string, start: number, ignoreCase: boolean): Read {
  let at = start + 1;
  const negated = source[at] === '^';
  if (negated) at += 1;
  let alphabet = nothing;
  while (at < source.length && source[at] !== ']') {
    const range = /^([^\\\]])-([^\\\]])/.exec(source.slice(at, at + 3));
    if (range !== null) {
      const [low, high] = [(range[1] ?? '').charCodeAt(0), (range[2] ?? '').charCodeAt(0)];
      const plain = set((code) => code >= low && code <= high, high >= size);
      alphabet = union(alphabet, ignoreCase ? bothCases(plain) : plain);
      at += 3;
      continue;
    }
    const read =
      source[at] === '\\'
        ? readEscape(source, at, ignoreCase)
        : { alphabet: one(source[at] ?? '', ignoreCase), next: at + 1 };
    alphabet = union(alphabet, read.alphabet);
    at = read.next;
  }
  return { alphabet: negated ? invert(alphabet) : alphabet, next: at + 1 };
}

function bothCases(alphabet: Alphabet): Alphabet {
  const has = (code: number) => alphabet.allowed[code] === true;
  return set((code) => {
    const character = String.fromCharCode(code);
    return has(code) || has(character.toLowerCase().charCodeAt(0)) || has(character.toUpperCase().charCodeAt(0));
  }, alphabet.beyond);
}

/** Everything that any atom of the expression can match, and what the first one can. */
function readAlphabet(source: string, ignoreCase: boolean): { all: Alphabet; first: Alphabet } {
  let all = nothing;
  let first: Alphabet | undefined;
  let isFirstCertain = false;
  for (let at = 0; at < source.length; ) {
    const character = source[at] ?? '';
    let read: Read;
    if (character === '\\') read = readEscape(source, at, ignoreCase);
    else if (character === '[') read = readClass(source, at, ignoreCase);
    else if (character === '.') read = { alphabet: everything, next: at + 1 };
    else if (source.startsWith('(?!', at) || source.startsWith('(?<!', at)) {
      // What must not follow adds nothing; leaving it unread is the careful side.
      read = { alphabet: nothing, next: source.indexOf(')', at) < 0 ? source.length : source.indexOf(')', at) + 1 };
    } else if (source.startsWith('(?', at)) read = { alphabet: nothing, next: at + 3 };
    else if ('^$()|*+?'.includes(character)) {
      read = { alphabet: nothing, next: at + 1 };
    } else if (character === '{') {
      const end = source.indexOf('}', at);
      read = { alphabet: nothing, next: end < 0 ? source.length : end + 1 };
    } else read = { alphabet: one(character, ignoreCase), next: at + 1 };
    const matchesSomething = read.alphabet !== nothing;
    if (matchesSomething && first === undefined) {
      first = read.alphabet;
      isFirstCertain = !/^(?:[*?|]|\{0)/.test(source.slice(read.next));
    }
    all = union(all, read.alphabet);
    at = read.next;
  }
  // What may be left out, or is one of several, may be followed by anything else that the expression knows.
  return { all, first: isFirstCertain && !source.includes('|') ? (first ?? all) : all };
}

function excludes(alphabet: Alphabet, characters: string): boolean {
  return [...characters].every((character) => alphabet.allowed[character.charCodeAt(0)] !== true);
}

/** What text over this alphabet cannot do. */
export function bitsOfAlphabet(alphabet: Alphabet, first: Alphabet = alphabet): number {
  let granted = 0;
  if (excludes(alphabet, ';&|$`<>()\n"\'\\')) granted |= bits.shell;
  if (excludes(first, '-')) granted |= bits.dash;
  if (excludes(alphabet, '/\\')) granted |= bits.component;
  if (excludes(alphabet, '.')) granted |= bits.noDots;
  if (excludes(first, '/\\')) granted |= bits.notAbsolute;
  if (excludes(alphabet, '\'";`\\ \n')) granted |= bits.sql;
  if (excludes(alphabet, '(`;=\'"')) granted |= bits.code;
  if (excludes(alphabet, '*+{')) granted |= bits.regex;
  if (excludes(alphabet, '{<$')) granted |= bits.template;
  if (excludes(alphabet, ':/@')) granted |= bits.hostAllowed;
  return granted;
}

/** Only an expression that is tied to both ends says something about the whole text. */
export function bitsWhenMatching(source: string, flags: string): number {
  if (/^\^https?:\\?\/\\?\/[\w\\.-]+\\?\//.test(source)) return bits.hostAllowed;
  const isTied =
    source.startsWith('^') && /(?:^|[^\\])\$$/.test(source) && !flags.includes('m') && !hasTopLevelChoice(source);
  if (!isTied) return 0;
  const { all, first } = readAlphabet(source, flags.includes('i'));
  return bitsOfAlphabet(all, first);
}

/** `^a|b$` is tied to neither end. */
function hasTopLevelChoice(source: string): boolean {
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
}

/** `/[;&|]/` found nothing: none of its characters occurs. An expression of more than one class says nothing. */
export function bitsWhenNotMatching(source: string, flags: string): number {
  if (/^\^-/.test(source)) return bits.dash;
  if (/\\\.\\\./.test(source) && source.length <= 24) return bits.noDots;
  const alphabet = onlyClass(source, flags);
  return alphabet === undefined ? 0 : bitsOfAlphabet(invert(alphabet));
}

/** The class of `/[^a-z]+/`, of `/[;&]/` or of a single character. */
function onlyClass(source: string, flags: string): Alphabet | undefined {
  const ignoreCase = flags.includes('i');
  const read = source.startsWith('[')
    ? readClass(source, 0, ignoreCase)
    : source.startsWith('\\')
      ? readEscape(source, 0, ignoreCase)
      : { alphabet: one(source[0] ?? '', ignoreCase), next: 1 };
  const tail = source.slice(read.next);
  return (tail === '' || tail === '+') && read.alphabet !== everything ? read.alphabet : undefined;
}

/** What is left after every match was replaced by `replacement`. */
export function bitsWhenReplaced(source: string, flags: string, replacement: string): number {
  if (!flags.includes('g')) return 0;
  if (source === "'" && /^'\\'''?$|^'"'"'$/.test(replacement)) return bits.shell;
  const alphabet = onlyClass(source, flags);
  if (alphabet === undefined) return 0;
  const kept = invert(alphabet);
  return bitsOfAlphabet([...replacement].reduce((left, character) => union(left, one(character, false)), kept));
}
