import type { Location } from '../../base/finding-schema.ts';

/** What is escaped already stays so, and brackets belong to addresses. */
const unescaped: Readonly<Record<string, string>> = { '%25': '%', '%5B': '[', '%5D': ']' };

/** Where a finding is: a URL as it stands, anything else as host and port of the network. */
export function placeOf(at: string): Location {
  const isUrl = /^https?:\/\//.test(at);
  const path = encodeURI((isUrl ? at : `tcp://${at}`).toWellFormed()).replace(
    /%25|%5B|%5D/g,
    (text) => unescaped[text] ?? text,
  );
  return { path: path.slice(0, 4096) };
}
