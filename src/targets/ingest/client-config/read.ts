import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { mebibyte } from '../../../base/limits.ts';
import { clientPlaces } from './clients.ts';
import type { ClientConfig, ConfigProblem, ConfiguredServer } from './contract.ts';
import { readDocument } from './document.ts';
import { readServer } from './server-entry.ts';
import { findServers } from './shapes.ts';

const largestConfigBytes = 32 * mebibyte;

/** The client that a file belongs to, by the end of its path; `unknown` is an answer too. */
export function clientOf(path: string): string {
  const unified = path.replaceAll('\\', '/');
  const ends = clientPlaces.flatMap(({ client, paths }) =>
    paths.map((place) => ({ client, end: place.replace(/^(~|\{data\}|\.)?\//, '').replace(/^.*\*\*\//, '') })),
  );
  const fitting = ends.filter(({ end }) => unified.endsWith(`/${end}`) || unified === end);
  return fitting.sort((left, right) => right.end.length - left.end.length)[0]?.client ?? 'unknown';
}

async function readText(path: string): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('not a file');
    if (stats.size > largestConfigBytes) throw new Error(`larger than ${largestConfigBytes} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle?.close();
  }
}

/** What a text of a config file says; a broken one is a problem, not an error. */
export function parseClientConfig(path: string, text: string, client = clientOf(path)): ClientConfig {
  const document = readDocument(path, text);
  const found = findServers(document.value);
  const problems: ConfigProblem[] = document.problems.map((problem) => ({ path, ...problem }));
  const servers: ConfiguredServer[] = [];
  const tell = (what: string, keys: readonly (string | number)[]): void => {
    const line = document.lineOf(keys);
    problems.push({ path, what, ...(line === undefined ? {} : { line }) });
  };
  for (const { what, keys } of found.problems) tell(what, keys);
  for (const node of found.servers) {
    const server = readServer(node, client, path, document.lineOf(node.keys));
    if (server === undefined) tell('a server has neither a command nor a URL', node.keys);
    else servers.push(server);
  }
  return { client, path, servers, problems };
}

export async function readClientConfig(path: string, client = clientOf(path)): Promise<ClientConfig> {
  try {
    return parseClientConfig(path, await readText(path), client);
  } catch (error) {
    const why =
      error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.message : '';
    return { client, path, servers: [], problems: [{ path, what: `cannot read ${basename(path)}: ${why}` }] };
  }
}
