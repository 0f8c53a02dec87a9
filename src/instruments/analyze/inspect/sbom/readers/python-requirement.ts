/**
 * One requirement as PEP 508 and pip write it: `name[extra]>=1.0,<2 ; python_version < "3.9" --hash=sha256:…`.
 * Markers are kept in words: which of them hold depends on the machine, so every one of them counts.
 */

export interface Requirement {
  readonly name: string;
  /** The version when exactly one is asked for. */
  readonly version: string | undefined;
  readonly range: string | undefined;
  readonly marker: string | undefined;
  readonly origin: string | undefined;
  readonly hashes: readonly string[];
}

const shape = /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,212}[A-Za-z0-9])?)\s*(?:\[[^\]]{0,500}\])?\s*(.*)$/;
const exact = /^===?\s*([^,*\s]+)$/;

export function parseRequirement(text: string): Requirement | undefined {
  const hashes = [...text.matchAll(/\s--hash[=\s]([a-z0-9]+:[0-9a-f]+)/gi)].map(([, digest = '']) => digest);
  const bare = (text.split(/\s--/, 1)[0] ?? '').trim();
  const match = shape.exec(bare);
  if (match?.[1] === undefined) return undefined;
  const rest = match[2] ?? '';
  if (rest.startsWith('@')) {
    const [url = '', marker] = rest
      .slice(1)
      .trim()
      .split(/\s;\s?/, 2);
    return { name: match[1], version: undefined, range: undefined, marker, origin: url.slice(0, 500), hashes };
  }
  const [specifier = '', marker] = rest.split(';', 2).map((part) => part.trim());
  const range = specifier.replace(/^\(|\)$/g, '').trim();
  if (range !== '' && !/^[=<>!~]/.test(range)) return undefined;
  return {
    name: match[1],
    version: exact.exec(range)?.[1],
    range: range === '' ? undefined : range,
    marker,
    origin: undefined,
    hashes,
  };
}
