import { isAlphanumeric, isDigit } from './characters.ts';
import { limits } from './limits.ts';
import { reportProgram } from './report-program.ts';
import { claim, type Scan, type Sighting } from './scan.ts';
import { extensionOf, extensionWeight, stockFiles } from './tables/file-names.ts';
import { quoteBefore, walkPath } from './walk-path.ts';

/** Places that anybody may write to, or that are started by themselves. */
const telling =
  /\\(?:temp|tmp|appdata|startup|programdata|public|downloads|recycler|\$recycle\.bin|perflogs|tasks)(?:\\|$)|^%(?:temp|tmp|appdata|localappdata|programdata|public|userprofile)%/i;
const system = /^(?:[a-z]:|%systemroot%|%windir%)\\(?:windows\\)?(?:system32|syswow64|winsxs|microsoft\.net)\\/i;

/** Written twice in source code and JSON, each backslash means one. */
export function singleBackslashes(path: string): string {
  return path.replace(/\\{2,8}/g, '\\');
}

function lastName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1);
}

interface ReadPath extends Pick<Sighting, 'type' | 'value' | 'confidence' | 'noise'> {
  readonly key: string;
  readonly name: string;
}

function judgePath(spelled: string): ReadPath {
  const value = singleBackslashes(/^[a-z]:\//i.test(spelled) ? spelled.replace(/\//g, '\\') : spelled);
  const name = lastName(value);
  const key = value.toLowerCase();
  if (key.endsWith('.pdb')) return { type: 'pdb_path', value, key, name, confidence: 0.8 };
  if (system.test(value) && stockFiles.has(name.toLowerCase()))
    return { type: 'windows_path', value, key, name, confidence: 0.1, noise: 'part of Windows' };
  const confidence = telling.test(value) ? 0.7 : extensionWeight(extensionOf(name)) === 2 ? 0.6 : 0.5;
  return { type: 'windows_path', value, key, name, confidence };
}

/** Reports a path that was found, as what its ending says. */
export function reportWindowsPath(scan: Scan, from: number, to: number): void {
  const spelled = scan.text.slice(from, to);
  const { name, ...path } = scan.remember('path', spelled, () => judgePath(spelled));
  scan.report({ ...path, from, to });
  if (path.noise === undefined) reportProgram(scan, name, to - name.length, to);
}

function isLetter(code: number): boolean {
  return isAlphanumeric(code) && !isDigit(code);
}

function rootEnd(text: string, at: number): readonly [from: number, root: number] | undefined {
  const character = text.charAt(at);
  if (character === ':') {
    const next = text.charAt(at + 1);
    const letter = text.charCodeAt(at - 1);
    if (!isLetter(letter) || isAlphanumeric(text.charCodeAt(at - 2))) return undefined;
    if (next === '\\') return [at - 1, at + 2];
    return next === '/' && text.charAt(at + 2) !== '/' ? [at - 1, at + 2] : undefined;
  }
  const variable = character === '%' ? /^%[A-Za-z_()0-9]{2,32}%[\\/]/ : /^\$env:[A-Za-z_()0-9]{2,32}[\\/]/i;
  const match = variable.exec(text.slice(at, at + 40));
  return match === null ? undefined : [at, at + match[0].length];
}

/** Called at `:`, `%` and `$`. */
export function readWindowsPath(scan: Scan, at: number): number | undefined {
  const { text } = scan;
  const found = rootEnd(text, at);
  if (found === undefined) return undefined;
  const [from, root] = found;
  const end = walkPath(scan, root, { quote: quoteBefore(text, from), isFile: true });
  if (end === undefined) {
    scan.overlong += 1;
    return root + limits.pathLength;
  }
  if (end <= root || !/[\p{L}\p{N}_$~]/u.test(text.slice(root, end))) return undefined;
  reportWindowsPath(scan, from, end);
  scan.claim(from, end, claim.path);
  return end;
}
