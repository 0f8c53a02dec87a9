import { createHash } from 'node:crypto';
import type { ListedResource } from '../../../../targets/conversation/contract.ts';
import type { Position, World } from '../arguments/index.ts';
import type { Oracle } from '../trials/index.ts';
import { isSilent } from '../trials/silence.ts';
import type { ResourceTrial } from './contract.ts';
import { prefixOf } from './uri-template.ts';

/** Addresses outside of what the server offers: files that were planted, services of the box, names that only we know. */

export const escapeClass = 'resource-escape';

interface Escape {
  readonly payload: string;
  readonly class: string;
  readonly uri: string;
  readonly cwe: readonly string[];
  readonly oracles: readonly Oracle[];
}

const mostBases = 4;
const up = '../'.repeat(12);
const upEncoded = '%2e%2e%2f'.repeat(12);

export const uriPosition: Position = {
  pointer: '/uri',
  path: ['uri'],
  name: 'uri',
  description: '',
  isRequired: true,
  meaning: 'url',
  types: ['string'],
  isText: true,
  view: { type: 'string' },
};

const fileUri = (path: string): string => `file://${path.split('/').map(encodeURIComponent).join('/')}`;

/** A file with a token, and what shows that it was read. */
function reading(path: string, secret: string, canary: string): readonly Oracle[] {
  return [
    { kind: 'canary-in-result', secret, canary },
    { kind: 'open-outside', path },
  ];
}

function fileEscapes(world: World): readonly Escape[] {
  const { outsideFile, outsideCanary, outsideFolder, outsideEntry, sibling, link } = world;
  const outside = reading(outsideFile, 'outside', outsideCanary);
  const entry: readonly Oracle[] = [{ kind: 'canary-in-result', secret: 'entry', canary: outsideEntry }];
  const files: readonly (readonly [string, string, readonly Oracle[]])[] = [
    ['file', fileUri(outsideFile), outside],
    ['path', outsideFile, outside],
    ['file-host', fileUri(outsideFile).replace('file://', 'file://localhost'), outside],
    ['folder', fileUri(outsideFolder), entry],
    ...(sibling === undefined
      ? []
      : [['sibling', fileUri(sibling.path), reading(sibling.path, 'sibling', sibling.canary)] as const]),
    ...(link === undefined ? [] : [['link', fileUri(link.path), reading(link.target, 'linked', link.canary)] as const]),
  ];
  return files.map(([payload, uri, oracles]) => ({
    ...{ payload, uri, oracles },
    class: escapeClass,
    cwe: ['CWE-22', 'CWE-610'],
  }));
}

/** From below something that is offered, up and out. */
function climbingEscapes(
  resources: readonly ListedResource[],
  { outsideFile, outsideCanary }: World,
): readonly Escape[] {
  const bases = resources
    .map(({ uri, isTemplate }) => (isTemplate ? prefixOf(uri) : uri))
    .flatMap((uri) => /^[a-z][a-z0-9+.-]*:\/\/(?:.*\/)?/i.exec(uri)?.[0] ?? []);
  const tail = outsideFile.replace(/^\/+/, '');
  return [...new Set(bases)].slice(0, mostBases).flatMap((base, at) =>
    (
      [
        ['climb', `${base}${up}${tail}`],
        ['climb-encoded', `${base}${upEncoded}${tail.replaceAll('/', '%2f')}`],
        ['absolute-below', `${base}${outsideFile}`],
      ] as const
    ).map(([payload, uri]) => ({
      payload: `${payload}-${at + 1}`,
      ...{ class: escapeClass, uri, cwe: ['CWE-22'] },
      oracles: reading(outsideFile, 'outside', outsideCanary),
    })),
  );
}

function requestEscapes({ loopback, redirect, domain }: World, seed: string): readonly Escape[] {
  const token = `r${createHash('sha256').update(`${seed}\nresource`).digest('hex').slice(0, 16)}`;
  const host = `${token}.${domain}`;
  const about = { class: 'ssrf', cwe: ['CWE-918'] } as const;
  const inner = (payload: string, uri: string, port: number, canary: string | undefined): Escape => ({
    ...{ ...about, payload, uri },
    oracles: [
      ...(canary === undefined ? [] : [{ kind: 'canary-in-result', secret: 'loopback', canary } as const]),
      { kind: 'request-to', address: 'loopback', port },
    ],
  });
  return [
    { ...about, payload: 'outer', uri: `http://${host}/resource`, oracles: [{ kind: 'request-to', host, dns: true }] },
    ...(loopback === undefined
      ? []
      : [inner('loopback', `http://127.0.0.1:${loopback.port}/`, loopback.port, loopback.canary)]),
    ...(redirect === undefined ? [] : [inner('redirect', redirect.url, redirect.port, loopback?.canary)]),
  ];
}

/** Empty for a server that offers no resources. */
export function escapeTrials(
  resources: readonly ListedResource[],
  world: World,
  seed: string,
  isConfined: boolean,
): readonly ResourceTrial[] {
  if (resources.length === 0) return [];
  const prefixes = resources.filter(({ isTemplate }) => isTemplate).map(({ uri }) => prefixOf(uri));
  const isOffered = (uri: string): boolean => prefixes.some((prefix) => uri.startsWith(prefix));
  // Where every file is offered, the ways up and out lead to nothing that is not.
  const isOpen = isOffered(fileUri(world.outsideFile));
  const listed = new Set(resources.map(({ uri }) => uri));
  return [...fileEscapes(world), ...climbingEscapes(resources, world), ...requestEscapes(world, seed)]
    .filter(({ uri }) => !listed.has(uri))
    .filter(({ oracles, uri }) => oracles.every((oracle) => isSilent(oracle, [uri])))
    .map(({ uri, payload, class: kind, cwe, oracles }, at) => ({
      id: `${kind}/${payload} resources/read/uri`,
      ...{ class: kind, payload, cwe, oracles },
      tool: 'resources/read',
      position: uriPosition,
      value: uri,
      flags: [],
      isByDesign: kind === escapeClass ? isOpen && !isConfined : isOffered(uri),
      score: 100 - at,
      request: { kind: 'resource', uri },
    }));
}
