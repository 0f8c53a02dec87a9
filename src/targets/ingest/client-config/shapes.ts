/** The places in a document where servers are listed. Every client has its own key; the shape decides, not the client. */

export interface ServerNode {
  readonly name: string;
  readonly keys: readonly (string | number)[];
  readonly value: Readonly<Record<string, unknown>>;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `*` stands for every key. A list that is only a list if its members look like servers is `strict`. */
const lists: readonly { readonly keys: readonly string[]; readonly isStrict: boolean }[] = [
  { keys: ['mcpServers'], isStrict: false },
  { keys: ['mcp_servers'], isStrict: false },
  { keys: ['context_servers'], isStrict: false },
  { keys: ['mcp', 'servers'], isStrict: false },
  { keys: ['mcp', 'mcpServers'], isStrict: false },
  { keys: ['mcp.servers'], isStrict: false },
  { keys: ['amp.mcpServers'], isStrict: false },
  { keys: ['projects', '*', 'mcpServers'], isStrict: false },
  { keys: ['experimental', 'modelContextProtocolServers'], isStrict: false },
  { keys: ['servers'], isStrict: true },
  { keys: ['mcp'], isStrict: true },
  { keys: ['extensions'], isStrict: true },
];

const serverKeys = ['command', 'cmd', 'url', 'uri', 'serverUrl', 'httpUrl', 'transport'];
const mostServers = 10_000;

function looksLikeServer(value: unknown): boolean {
  return isRecord(value) && serverKeys.some((key) => Object.hasOwn(value, key));
}

function descend(value: unknown, keys: readonly string[], path: readonly string[] = []): [string[], unknown][] {
  const [key, ...rest] = keys;
  if (key === undefined) return [[[...path], value]];
  if (!isRecord(value)) return [];
  const names = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : [];
  return names.flatMap((name) => descend(value[name], rest, [...path, name]));
}

function nameIn(value: unknown, index: number): string {
  return isRecord(value) && typeof value.name === 'string' ? value.name : `#${index + 1}`;
}

export interface FoundServers {
  readonly servers: readonly ServerNode[];
  readonly problems: readonly { readonly what: string; readonly keys: readonly (string | number)[] }[];
}

export function findServers(document: unknown): FoundServers {
  const servers: ServerNode[] = [];
  const problems: { what: string; keys: (string | number)[] }[] = [];
  for (const { keys, isStrict } of lists) {
    for (const [path, list] of descend(document, keys)) {
      if (list === null || (isStrict && !isRecord(list) && !Array.isArray(list))) continue;
      if (typeof list !== 'object') {
        problems.push({ what: `${path.join('.')} is no list of servers`, keys: path });
        continue;
      }
      const members: [string | number, unknown][] = Array.isArray(list) ? [...list.entries()] : Object.entries(list);
      for (const [key, value] of members.slice(0, mostServers)) {
        const name = typeof key === 'number' ? nameIn(value, key) : key;
        if (isRecord(value) && (!isStrict || looksLikeServer(value)))
          servers.push({ name, keys: [...path, key], value });
        else if (!isStrict) problems.push({ what: 'an entry of the list is no server', keys: [...path, key] });
      }
    }
  }
  if (servers.length === 0 && looksLikeServer(document) && isRecord(document)) {
    servers.push({ name: nameIn(document, 0), keys: [], value: document });
  }
  return { servers, problems };
}
