import type { Location } from '../../base/finding-schema.ts';

const kept: Readonly<Record<string, string>> = { '%25': '%', '%5B': '[', '%5D': ']' };

/** Where a finding is: a URL as it stands, anything else as host and port of the network. */
export function placeOf(at: string): Location {
  const isUrl = /^https?:\/\//.test(at);
  return {
    path: encodeURI(isUrl ? at : `tcp://${at}`)
      .replaceAll('%25', '%')
      .slice(0, 4096),
  };
}
