import { createHash } from 'node:crypto';
import type { Artefact, Registry } from '../../config.ts';
import { type HttpAnswer, type HttpRequest, jsonAnswer, pathParts, type Site } from '../site.ts';

/** Serves the packages that were handed in as an npm registry would, and knows no others. */

const notFound = (): HttpAnswer => jsonAnswer(404, { error: 'Not found' });

/** `@scope/name` may come as one part or as two. */
function packageIn(parts: readonly string[]): { readonly name: string; readonly rest: readonly string[] } {
  const [first = '', second = '', ...others] = parts;
  if (!first.startsWith('@') || first.includes('/')) return { name: first, rest: parts.slice(1) };
  return { name: `${first}/${second}`, rest: others };
}

function versionDocument(artefact: Artefact, request: HttpRequest): unknown {
  const bytes = Buffer.from(artefact.base64, 'base64');
  const scheme = request.isSecure ? 'https' : 'http';
  return {
    ...artefact.manifest,
    name: artefact.name,
    version: artefact.version,
    dist: {
      tarball: `${scheme}://${request.host}/${artefact.name}/-/${encodeURIComponent(artefact.fileName)}`,
      shasum: createHash('sha1').update(bytes).digest('hex'),
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    },
  };
}

function packageDocument(artefacts: readonly Artefact[], request: HttpRequest): unknown {
  const name = artefacts[0]?.name;
  return {
    _id: name,
    name,
    'dist-tags': { latest: artefacts.at(-1)?.version },
    versions: Object.fromEntries(artefacts.map((each) => [each.version, versionDocument(each, request)])),
  };
}

function answerFrom(registry: Registry, request: HttpRequest): HttpAnswer {
  if (request.method !== 'GET' && request.method !== 'HEAD') return jsonAnswer(403, { error: 'Forbidden' });
  const { name, rest } = packageIn(pathParts(request));
  const artefacts = registry.artefacts.filter((each) => each.name === name);
  if (artefacts.length === 0) return notFound();
  const [dash, file] = rest;
  if (dash === undefined) return jsonAnswer(200, packageDocument(artefacts, request));
  const artefact = artefacts.find((each) => (dash === '-' ? each.fileName === file : each.version === dash));
  if (artefact === undefined) return notFound();
  if (dash !== '-') return jsonAnswer(200, versionDocument(artefact, request));
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(artefact.base64, 'base64'),
  };
}

export const npmSite: Site = {
  id: 'npm',
  title: 'an npm registry that serves the packages handed in and refuses the rest',
  answer(request, { world }) {
    const registry = world.config.registries.find(({ kind, hosts }) => kind === 'npm' && hosts.includes(request.host));
    return registry === undefined ? null : answerFrom(registry, request);
  },
};
