import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HostError, TargetError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';
import { type FetchContext, limitsOf } from './contract.ts';
import { httpGet, readBody } from './http-get.ts';
import { askPipForIndex } from './pip-default-index.ts';
import { type IndexFile, readIndex } from './pip-index.ts';
import { type Candidate, readCandidate } from './pip-select.ts';
import { type PipSettings, readPipSettings } from './pip-settings.ts';

const accept = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

/** Where Python packages come from for this user; made once per run, so that pip is asked once. */
export interface PipSource {
  readonly settings: PipSettings;
  readonly context: FetchContext;
  listCandidates(name: string): Promise<readonly Candidate[]>;
}

/** The last answer is kept for work without a network. */
async function getPage(
  url: string,
  settings: PipSettings,
  context: FetchContext,
): Promise<{ text: string; type: string; url: string }> {
  const folder = join(context.cacheFolder, 'pypi/index');
  const kept = join(folder, sha256(url));
  if (context.isOffline) {
    try {
      return JSON.parse(await readFile(kept, 'utf8')) as { text: string; type: string; url: string };
    } catch (cause) {
      throw new HostError('a page of the package index is not in the cache', {
        cause,
        hint: 'run once without --offline',
      });
    }
  }
  const answer = await httpGet(url, accept, settings, context);
  const text = (await readBody(answer, limitsOf(context).maxIndexBytes)).toString('utf8');
  const page = { text, type: answer.type, url: answer.url };
  await mkdir(folder, { recursive: true });
  await writeFile(kept, JSON.stringify(page), { mode: 0o600 });
  return page;
}

function localFile(folder: string, filename: string): IndexFile {
  return { filename, url: pathToFileURL(join(folder, filename)).href, hashes: new Map(), isYanked: false };
}

/** A folder with archives, or a page with links to them. */
async function listLinks(place: string, settings: PipSettings, context: FetchContext): Promise<IndexFile[]> {
  if (/^https?:\/\//.test(place)) {
    const page = await getPage(place, settings, context);
    return readIndex(page.text, page.type, page.url);
  }
  const path = place.startsWith('file://')
    ? fileURLToPath(place)
    : resolve(context.cwd, place.replace(/^~(?=\/)/, context.home));
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return (await readdir(path)).map((name) => localFile(path, name));
  if (found?.isFile() !== true || found.size > limitsOf(context).maxIndexBytes) return [];
  return readIndex(await readFile(path, 'utf8'), 'text/html', pathToFileURL(path).href);
}

async function listIndex(
  index: string,
  name: string,
  settings: PipSettings,
  context: FetchContext,
): Promise<IndexFile[]> {
  const page = await getPage(`${index.replace(/\/+$/, '')}/${name}/`, settings, context);
  return readIndex(page.text, page.type, page.url);
}

export function createPipSource(context: FetchContext): PipSource {
  const settings = readPipSettings(context);
  const pages = new Map<string, Promise<readonly Candidate[]>>();
  let indexes: Promise<readonly string[]> | undefined;

  async function findIndexes(): Promise<readonly string[]> {
    if (settings.hasNoIndex) return [];
    return [settings.indexUrl ?? (await askPipForIndex(context)), ...settings.extraIndexUrls];
  }

  async function list(name: string): Promise<readonly Candidate[]> {
    indexes ??= findIndexes();
    const files: IndexFile[] = [];
    for (const place of settings.findLinks) files.push(...(await listLinks(place, settings, context)));
    for (const index of await indexes) {
      try {
        files.push(...(await listIndex(index, name, settings, context)));
      } catch (error) {
        // One of several indexes need not have it.
        if (!(error instanceof TargetError)) throw error;
      }
    }
    return files.flatMap((file) => readCandidate(file, name) ?? []);
  }

  return {
    settings,
    context,
    listCandidates(name) {
      const known = pages.get(name) ?? list(name);
      pages.set(name, known);
      return known;
    },
  };
}
