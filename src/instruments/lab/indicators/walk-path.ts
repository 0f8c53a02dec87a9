import { limits } from './limits.ts';
import { claim, type Scan } from './scan.ts';
import { extensionWeight } from './tables/file-names.ts';

/** Where a path of Windows or a key of the registry ends, when nobody says so: blanks are part of names there. */

export interface WalkOptions {
  /** The quote that stands directly before it, or nothing. */
  readonly quote: string;
  /** Names in it can end in an extension, after which a blank ends the path. */
  readonly isFile: boolean;
}

const stops = new Set([...'"<>|*?\n\r\t\0`,;']);
const quotes = new Set([...'"\'`']);

export function quoteBefore(text: string, from: number): string {
  const before = text.charAt(from - 1);
  return quotes.has(before) ? before : '';
}

/** The closing quote, when the line has one soon. */
function closingQuote(scan: Scan, from: number, quote: string): number | undefined {
  const piece = scan.text.slice(from, from + limits.pathLength);
  scan.step(64);
  const end = piece.search(/["'`\n\r\0]/);
  if (end === -1 || piece.charAt(end) !== quote) return undefined;
  return from + end;
}

/** Whether the words after a blank still belong to the name that was begun: a separator or an extension follows soon. */
function goesOn(scan: Scan, blank: number, segment: string, options: WalkOptions): boolean {
  scan.step(8);
  if (scan.claimAt(blank + 1) !== claim.free) return false;
  if (options.isFile && hasExtension(segment)) return false;
  const ahead = scan.text.slice(blank + 1, blank + 65);
  const toSeparator = /^([\p{L}\p{N}_.()&+'#~!{}[\]-]{1,24}(?: [\p{L}\p{N}_.()&+'#~!{}[\]-]{1,24}){0,3})(\\|\.?)/u.exec(
    ahead,
  );
  if (toSeparator === null) return false;
  const [, words = '', separator = ''] = toSeparator;
  if (
    /^\p{Ll}/u.test(words) &&
    /\.$|^(?:and|or|to|from|in|is|was|the|a|an|with|on|at|by|for|as|then|via|into)\b/u.test(words)
  )
    return false;
  if (separator === '\\') {
    // `copy C:\a D:\b` and `copy C:\a \\host\b`: the next path is not a part of this one.
    return !/\s$/.test(words) && !isFileThen(words);
  }
  if (!options.isFile) return false;
  const parts = words.split(' ');
  const last = parts.findIndex((part) => hasExtension(part.replace(/[.)\]'!]+$/, '')));
  return (
    last >= 0 &&
    last <= 2 &&
    parts.slice(0, last).every((part) => !/^(?:and|or|to|from|in|is|was|the|then|via|into|with)$/i.test(part))
  );
}

function hasExtension(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && extensionWeight(name.slice(dot + 1).toLowerCase()) > 0;
}

/** `setup.exe Windows\x`: a finished file and the beginning of something else. */
function isFileThen(words: string): boolean {
  return words.split(' ').slice(0, -1).some(hasExtension);
}

/** Gives back the end; `from` is after the root. Undefined: longer than any real one, and to be left alone. */
export function walkPath(scan: Scan, from: number, options: WalkOptions): number | undefined {
  const { text } = scan;
  if (options.quote !== '') {
    const end = closingQuote(scan, from, options.quote);
    if (end !== undefined && !/\.(?:exe|com|bat|cmd|scr)\s/i.test(text.slice(from, end))) return end;
  }
  let segment = from;
  let at = from;
  const most = Math.min(text.length, from + limits.pathLength);
  for (; at < most; at += 1) {
    const character = text.charAt(at);
    if (stops.has(character) || (character === options.quote && character !== '')) break;
    if (character === ':' || (character === "'" && !isApostrophe(text, at))) break;
    if (character === '\\' || character === '/') {
      if (character === '/' && text.charAt(at - 1) === ' ') break;
      segment = at + 1;
      continue;
    }
    if (character === ' ' && !goesOn(scan, at, text.slice(segment, at), options)) break;
    if ((character === ')' || character === ']' || character === '}') && !hasOpener(text.slice(segment, at), character))
      break;
  }
  scan.step(at - from);
  if (at - from >= limits.pathLength) return undefined;
  let end = at;
  while (end > from && /[\s.,;:!'&+]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Of `it's.exe`; at the end of a word it closes a quotation. */
function isApostrophe(text: string, at: number): boolean {
  return /^\p{L}'\p{L}/u.test(text.slice(at - 1, at + 2));
}

function hasOpener(segment: string, closer: string): boolean {
  return segment.includes(closer === ')' ? '(' : closer === ']' ? '[' : '{');
}
