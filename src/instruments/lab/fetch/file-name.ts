import { makePaths } from '../archives/safe-path.ts';

/** A name for what was fetched, from what the server or the URL calls it. One part, safe to write to. */
export function suggestName(url: URL, disposition: string | undefined): string {
  const named = readDisposition(disposition ?? '') ?? decode(url.pathname.split('/').at(-1) ?? '');
  const last = named.split(/[\\/]/).at(-1) ?? '';
  const { path } = makePaths().make(last);
  return path === 'unnamed' ? 'download' : path.replace(/^\.+/, (dots) => '_'.repeat(dots.length));
}

function readDisposition(text: string): string | null {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(text)?.[1];
  if (extended !== undefined) return decode(extended);
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.){1,500})"/i.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(["\\])/g, '$1');
  return /filename\s*=\s*([^;\s"]{1,500})/i.exec(text)?.[1] ?? null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
