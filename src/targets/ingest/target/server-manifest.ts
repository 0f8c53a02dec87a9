import { isKnownError, UsageError } from '../../../base/errors.ts';
import type { ParsedTarget } from './contract.ts';
import { parseImage } from './image-spec.ts';
import { parseNpmSpec } from './npm-spec.ts';
import { parsePypiSpec } from './pypi-spec.ts';

/** What a `server.json` of the MCP registry offers: packages to start and places to reach. */
export interface OfferedTargets {
  readonly name?: string;
  readonly targets: readonly ParsedTarget[];
  readonly problems: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Old and new forms of the file name the kind of a package differently. */
const readers: Readonly<Record<string, (identifier: string, version: string) => ParsedTarget>> = {
  npm: (identifier, version) => parseNpmSpec(version === '' ? identifier : `${identifier}@${version}`),
  pypi: (identifier, version) => parsePypiSpec(version === '' ? identifier : `${identifier}==${version}`),
  oci: (identifier, version) =>
    parseImage(version === '' || /[:@]/.test(identifier) ? identifier : `${identifier}:${version}`),
  docker: (identifier, version) => parseImage(version === '' ? identifier : `${identifier}:${version}`),
};

function readPackage(value: unknown): ParsedTarget {
  const fields = isFields(value) ? value : {};
  const text = (...keys: readonly string[]): string =>
    String(keys.map((key) => fields[key]).find((item) => typeof item === 'string') ?? '');
  const kind = text('registryType', 'registry_type', 'registry_name');
  const read = readers[kind];
  if (read === undefined) throw new UsageError(`packages of the kind ${JSON.stringify(kind)} are not fetched`);
  return read(text('identifier', 'name'), text('version'));
}

function readRemote(value: unknown): ParsedTarget {
  const url = isFields(value) && typeof value.url === 'string' ? value.url : '';
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new UsageError('a place without a URL');
  return { kind: 'remote', url: new URL(url).href };
}

export function readServerManifest(manifest: unknown): OfferedTargets {
  const outer = isFields(manifest) ? manifest : {};
  const server = isFields(outer.server) ? outer.server : outer;
  const targets: ParsedTarget[] = [];
  const problems: string[] = [];
  const lists: readonly [unknown, (value: unknown) => ParsedTarget][] = [
    [server.packages, readPackage],
    [server.remotes, readRemote],
  ];
  for (const [list, read] of lists) {
    for (const value of Array.isArray(list) ? list.slice(0, 100) : []) {
      try {
        targets.push(read(value));
      } catch (error) {
        if (!isKnownError(error)) throw error;
        problems.push(error.message);
      }
    }
  }
  return { ...(typeof server.name === 'string' ? { name: server.name } : {}), targets, problems };
}
