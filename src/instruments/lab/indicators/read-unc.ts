import { isAlphanumeric } from './characters.ts';
import { limits } from './limits.ts';
import { reportWindowsPath, singleBackslashes } from './read-windows-path.ts';
import { reportHost } from './report-host.ts';
import { claim, type Scan } from './scan.ts';
import { quoteBefore, walkPath } from './walk-path.ts';

function isDevice(host: string): boolean {
  return host === '.' || host === '?';
}

/** Names of pipes and devices have no blanks, as a rule. */
function firstWord(text: string, from: number, to: number | undefined): number | undefined {
  const blank = text.slice(from, to ?? from).indexOf(' ');
  return blank === -1 ? to : from + blank;
}

/** Called at a backslash: `\\host\share\…`, `\\.\pipe\name`, `\\?\C:\…`, each also with its backslashes doubled. */
export function readUnc(scan: Scan, at: number): number | undefined {
  const { text } = scan;
  const before = text.charCodeAt(at - 1);
  if (isAlphanumeric(before) || before === 92 || before === 58 || before === 37 || before === 46) return undefined;
  const head = /^(\\{2}|\\{4})([A-Za-z0-9._-]{2,253}|\.|\?)(@[A-Za-z0-9@]{1,12})?(\\{1,2})(?!\\)/.exec(
    text.slice(at, at + 300),
  );
  if (head === null) return undefined;
  const [whole, opening = '', host = '', , separator = ''] = head;
  // In source code all are doubled or none is.
  if ((opening.length === 4) !== (separator.length === 2)) return undefined;
  const root = at + whole.length;
  const walked = walkPath(scan, root, { quote: quoteBefore(text, at), isFile: true });
  const end = isDevice(host) && quoteBefore(text, at) === '' ? firstWord(text, root, walked) : walked;
  if (end === undefined) {
    scan.overlong += 1;
    return root + limits.pathLength;
  }
  const value = `\\${singleBackslashes(text.slice(at, end))}`;
  if (end <= root || !/[\p{L}\p{N}_$]/u.test(text.slice(root, end))) return undefined;
  if (isDevice(host)) {
    const pipe = /^\\\\[.?]\\pipe\\(.+)$/i.exec(value);
    if (pipe !== null)
      scan.report({ type: 'named_pipe', value, key: value.toLowerCase(), from: at, to: end, confidence: 0.7 });
    else if (/^[A-Za-z]:/.test(text.slice(root, root + 2))) return undefined;
    else reportWindowsPath(scan, at, end);
  } else {
    scan.report({ type: 'unc_path', value, key: value.toLowerCase(), from: at, to: end, confidence: 0.7 });
    const hostFrom = at + opening.length;
    reportHost(scan, host, { from: hostFrom, to: hostFrom + host.length, isHost: true });
  }
  scan.claim(at, end, claim.path);
  return end;
}
