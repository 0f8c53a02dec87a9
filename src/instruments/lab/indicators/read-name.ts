import { isAddress4, readHost } from './hosts.ts';
import { reportPort } from './read-url.ts';
import { report4, reportHost } from './report-host.ts';
import { claim, type Scan } from './scan.ts';
import { extensionOf, extensionWeight, stockFiles } from './tables/file-names.ts';

/** Readings of a run of letters, digits, dots, hyphens and underscores that stands alone. */

function isFree(scan: Scan, from: number, to: number): boolean {
  return scan.claimAt(from) === claim.free && scan.claimAt(to - 1) === claim.free;
}

function readPort(scan: Scan, to: number): void {
  const port = /^:(\d{1,5})(?![\d:.])/.exec(scan.text.slice(to, to + 7));
  if (port !== null) reportPort(scan, port[1] ?? '', to + 1);
}

/** An address or a range of them; several may hang together by a hyphen. */
export function readAddress4(scan: Scan, from: number, to: number): number | undefined {
  if (!isFree(scan, from, to) || to - from > 64 || to - from < 7) return undefined;
  const run = scan.text.slice(from, to);
  if (!/^[\dvV]/.test(run) && !/[-_]\d/.test(run)) return undefined;
  let found = false;
  let at = from;
  for (const piece of run.split(/[-_]/)) {
    if (isAddress4(piece)) {
      found = true;
      const end = at + piece.length;
      const bits = /^\/(\d{1,2})(?![\d/.\w])/.exec(scan.text.slice(end, end + 4));
      if (bits !== null && Number(bits[1]) <= 32) {
        scan.report({
          type: 'cidr',
          value: `${piece}/${Number(bits[1])}`,
          from: at,
          to: end + bits[0].length,
          confidence: 0.5,
        });
      } else {
        report4(scan, piece, { from: at, to: end, isHost: false });
        readPort(scan, end);
      }
    } else if (/^v\d/i.test(piece) && isAddress4(piece.slice(1))) {
      found = true;
      report4(scan, piece.slice(1), { from: at + 1, to: at + piece.length, isHost: false });
    } else if (found && piece !== '') return to;
    at += piece.length + 1;
  }
  return found ? to : undefined;
}

/** In scripts that are written without blanks a host can stand in the middle of a sentence. */
function* asciiParts(run: string): Generator<readonly [number, number]> {
  for (const match of run.matchAll(/[A-Za-z0-9._-]{4,253}/g)) {
    const trimmed = match[0].replace(/^[.-]{1,253}|[._-]{1,253}$/g, '');
    const at = match.index + match[0].indexOf(trimmed);
    if (trimmed !== '') yield [at, at + trimmed.length];
  }
}

export function readDomain(scan: Scan, from: number, to: number): number | undefined {
  if (!isFree(scan, from, to)) return undefined;
  const run = scan.text.slice(from, to);
  if (!run.includes('.')) return undefined;
  if (reportHost(scan, run, { from, to, isHost: false })) {
    readPort(scan, to);
    return to;
  }
  if (
    run.startsWith('_') &&
    reportHost(scan, run.replace(/^_+/, ''), { from: to - run.replace(/^_+/, '').length, to, isHost: false })
  )
    return to;
  if (!/[^\x00-\x7f]/.test(run)) return undefined;
  let found = false;
  for (const [start, end] of asciiParts(run)) {
    const part = run.slice(start, end);
    const place = { from: from + start, to: from + end, isHost: false };
    if (isAddress4(part) || readHost(part) !== undefined) found = reportHost(scan, part, place) || found;
  }
  return found ? to : undefined;
}

export function readFileName(scan: Scan, from: number, to: number): number | undefined {
  if (!isFree(scan, from, to) || to - from > 128) return undefined;
  // Of `icon@2x.png` the part behind is no name of its own.
  if (scan.text.charAt(from - 1) === '@') return undefined;
  const value = scan.text.slice(from, to);
  const soname = /^((?:lib|ld-)[\w+.-]{1,60}\.so)(?:\.\d{1,4}){1,4}$/.exec(value);
  const extension = soname === null ? extensionOf(value) : 'so';
  const weight = extensionWeight(extension);
  if (weight === 0 || !/^[\p{L}\p{N}_]/u.test(value)) return undefined;
  const key = value.toLowerCase();
  if (extension === 'pdb') {
    scan.report({ type: 'pdb_path', value, key, from, to, confidence: 0.5 });
    return to;
  }
  const isStock = stockFiles.has(soname?.[1] ?? key) || /^api-ms-win-|^ext-ms-win-/.test(key);
  const isCode =
    /^\(/.test(scan.text.slice(to, to + 1)) || /\.(?:js|py|class|app|run|key|command|log|data)\.[a-z]+$/i.test(value);
  const noise = isStock ? 'part of the system' : isCode ? 'looks like program code' : undefined;
  const confidence = noise === undefined ? (weight === 2 ? 0.5 : 0.3) : 0.1;
  scan.report({ type: 'file_name', value, key, from, to, confidence, noise });
  return to;
}
