/**
 * Names that say whose they are: `server__tool`, and `hotcell:server/uri`. A label has no two underscores in a row and
 * none at its ends, so the first two underscores of a name are always the border, whatever the server calls its tools.
 */

const border = '__';
const scheme = 'hotcell:';
/** Clients take names of 64 characters, and tools need the larger part. */
const longestLabel = 24;

function toLabel(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, longestLabel)
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
  return plain === '' ? 'server' : plain;
}

/** One label for each name, no two the same. */
export function makeLabels(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const first = toLabel(name);
    let label = first;
    for (let count = 2; taken.has(label.toLowerCase()); count += 1) label = `${first}-${count}`;
    taken.add(label.toLowerCase());
    return label;
  });
}

export interface Labelled {
  readonly label: string;
  readonly own: string;
}

export function joinName(label: string, own: string): string {
  return `${label}${border}${own}`;
}

export function splitName(name: string): Labelled | null {
  const at = name.indexOf(border);
  return at <= 0 ? null : { label: name.slice(0, at), own: name.slice(at + border.length) };
}

/** Holds for templates too: what is filled in stands behind the label. */
export function joinUri(label: string, own: string): string {
  return `${scheme}${label}/${own}`;
}

export function splitUri(uri: string): Labelled | null {
  const at = uri.indexOf('/');
  if (!uri.startsWith(scheme) || at === -1) return null;
  return { label: uri.slice(scheme.length, at), own: uri.slice(at + 1) };
}
