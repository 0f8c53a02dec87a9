import { createHash } from 'node:crypto';
import type { Artefact, Registry } from '../../config.ts';
import { type HttpAnswer, type HttpRequest, headerOf, jsonAnswer, pathParts, type Site, textAnswer } from '../site.ts';

/** Serves the files that were handed in as a Python index would (PEP 503 and PEP 691), and knows no others. */

const jsonType = 'application/vnd.pypi.simple.v1+json';
const notFound = (): HttpAnswer => textAnswer(404, 'text/plain', 'Not Found\n');

export function normalisedProject(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function fileOf(artefact: Artefact): { filename: string; url: string; sha256: string } {
  const sha256 = createHash('sha256').update(Buffer.from(artefact.base64, 'base64')).digest('hex');
  return { filename: artefact.fileName, url: `/files/${encodeURIComponent(artefact.fileName)}`, sha256 };
}

function projectPage(artefacts: readonly Artefact[], request: HttpRequest): HttpAnswer {
  const files = artefacts.map(fileOf);
  if (headerOf(request, 'accept')?.includes(jsonType)) {
    const listed = files.map(({ filename, url, sha256 }) => ({ filename, url, hashes: { sha256 } }));
    const name = normalisedProject(artefacts[0]?.name ?? '');
    const answer = jsonAnswer(200, { meta: { 'api-version': '1.0' }, name, files: listed });
    return { ...answer, headers: { 'content-type': jsonType } };
  }
  const links = files.map(
    ({ filename, url, sha256 }) => `<a href="${url}#sha256=${sha256}">${escapeHtml(filename)}</a><br>`,
  );
  return textAnswer(200, 'text/html', `<!doctype html><html><body>\n${links.join('\n')}\n</body></html>\n`);
}

function answerFrom(registry: Registry, request: HttpRequest): HttpAnswer {
  if (request.method !== 'GET' && request.method !== 'HEAD') return textAnswer(403, 'text/plain', 'Forbidden\n');
  const parts = pathParts(request);
  const last = parts.at(-1) ?? '';
  if (parts[0] === 'files') {
    const artefact = registry.artefacts.find(({ fileName }) => fileName === last);
    if (artefact === undefined) return notFound();
    const headers = { 'content-type': 'application/octet-stream' };
    return { status: 200, headers, body: Buffer.from(artefact.base64, 'base64') };
  }
  const artefacts = registry.artefacts.filter(({ name }) => normalisedProject(name) === normalisedProject(last));
  return artefacts.length === 0 ? notFound() : projectPage(artefacts, request);
}

export const pypiSite: Site = {
  id: 'pypi',
  title: 'a Python package index that serves the files handed in and refuses the rest',
  answer(request, { world }) {
    const registry = world.config.registries.find(({ kind, hosts }) => kind === 'pypi' && hosts.includes(request.host));
    return registry === undefined ? null : answerFrom(registry, request);
  },
};
