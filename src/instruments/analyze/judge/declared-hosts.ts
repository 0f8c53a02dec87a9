import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, asString, asStrings } from '../../../base/json-shape.ts';
import { kibibyte } from '../../../base/limits.ts';
import { zoneOf } from '../../../evidence/detectors/hosts.ts';
import type { ListedPrompt, ListedResource, ListedTool } from '../../../targets/conversation/contract.ts';

/**
 * Hosts that a target speaks of where people read: its documentation, its manifest, what it says of its tools, and what it
 * was started with. Code is no documentation, and where its sources lie is not where it talks to.
 */

export interface DeclaredSources {
  /** The target's own folder on this machine, to be read and never run; null where there is none. */
  readonly folder: string | null;
  /** Arguments and values of variables that it was started with. */
  readonly given: readonly string[];
  readonly instructions?: string;
  readonly listing?: {
    readonly tools: readonly ListedTool[];
    readonly prompts: readonly ListedPrompt[];
    readonly resources: readonly ListedResource[];
  };
  /** Hosts that were contacted: one whose name is that of a service which the manifest names is declared as well. */
  readonly contacted?: readonly string[];
}

const documents =
  /^(?:readme(?:\.[\w-]+)*|package\.json|pyproject\.toml|setup\.(?:cfg|py)|server\.json|manifest\.json|smithery\.ya?ml|\.env\.(?:example|sample|template)|env\.example|mcp\.json|(?!changelog|changes|history|licen|contribut|code_of_conduct|security)[\w-]+\.md)$/i;
const mostFiles = 40;
const mostFileBytes = 256 * kibibyte;
const mostTextCharacters = 2_000_000;
const mostHosts = 2000;

const url =
  /\b(?:https?|wss?|ftp|grpcs?|postgres(?:ql)?|mysql|redis|mongodb(?:\+srv)?|amqps?|mqtts?):\/\/(?:[^\s/@"'<>]{1,128}@)?(\[[0-9a-f:.]{2,45}\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)/gi;
const bareHost = /(?<![\w@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,6}[a-z]{2,24}(?![\w-]|\.[a-z])/gi;
const bareAddress = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g;

/** Links of every README: badges, forges, chats and shops are not what a server talks to. */
const links =
  /^(?:(?:www\.)?github\.com|(?:www\.)?gitlab\.com|raw\.githubusercontent\.com|(?:\w+\.)?shields\.io|badge\.\w+\.io|badgen\.net|(?:www\.)?(?:twitter|x|linkedin|youtube|facebook|reddit|medium)\.com|discord\.(?:gg|com)|t\.me|opensource\.org|creativecommons\.org|choosealicense\.com|semver\.org|keepachangelog\.com|conventionalcommits\.org|(?:\w+\.)?codecov\.io|snyk\.io|smithery\.ai|glama\.ai|(?:\w+\.)?modelcontextprotocol\.io|json-schema\.org|www\.w3\.org|nodejs\.org|(?:www\.)?python\.org|docs\.astral\.sh|img\.\w+\.\w+)$/i;
/** Fields of manifests that say where the sources and the authors are. */
const sourceFields = new Set([
  'homepage',
  'repository',
  'bugs',
  'funding',
  'author',
  'authors',
  'contributors',
  'maintainers',
  'license',
  'publishConfig',
  '$schema',
  'scripts',
  'dependencies',
  'devDependencies',
  'websiteUrl',
  'documentation',
  'support',
  'icon',
  'icons',
  'privacy_policies',
]);

function hostsIn(text: string, into: Set<string>): void {
  const add = (host: string | undefined): void => {
    const plain = host?.toLowerCase().replace(/^\[|\]$/g, '');
    if (plain?.includes('.') && !links.test(plain) && into.size < mostHosts) into.add(plain);
  };
  for (const [, host] of text.matchAll(url)) add(host);
  for (const [host] of text.matchAll(bareHost)) add(host);
  for (const [host] of text.matchAll(bareAddress)) add(host);
}

/** Pictures are badges, and what they link to are the services that make them. */
function withoutPictures(markdown: string): string {
  return markdown
    .replace(/\[!\[[^\]]{0,200}\]\([^)\s]{0,500}[^)]{0,200}\)\]\([^)]{0,500}\)/g, ' ')
    .replace(/!\[[^\]]{0,200}\]\([^)]{0,700}\)/g, ' ')
    .replace(/<img\b[^>]{0,1000}>/gi, ' ');
}

function withoutSources(name: string, text: string): string {
  if (/\.toml$/i.test(name))
    return text
      .replace(/^\[(?:project\.urls|tool\.poetry\.urls|\[?tool\.uv[^\]]*)\][^[]*/gm, ' ')
      .replace(/^\s*(?:homepage|repository|documentation|Homepage|Repository|Issues)\s*=.*$/gm, ' ');
  if (!/\.json$/i.test(name)) return withoutPictures(text);
  try {
    const document = asObject(JSON.parse(text));
    return JSON.stringify(Object.fromEntries(Object.entries(document).filter(([key]) => !sourceFields.has(key))));
  } catch {
    return text;
  }
}

async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    if (!(await file.stat()).isFile()) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostFileBytes), 0, mostFileBytes, 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}

interface Document {
  readonly name: string;
  readonly text: string;
}

/** What cannot be read declares nothing. */
async function readDocuments(folder: string | null): Promise<readonly Document[]> {
  if (folder === null) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && documents.test(entry.name)).map(({ name }) => name);
  return Promise.all(
    names
      .slice(0, mostFiles)
      .map(async (name) => ({ name, text: await readStart(join(folder, name)).catch(() => '') })),
  );
}

/** What the manifest calls the target and says it is for. */
function purposeOf(all: readonly Document[]): string {
  return all
    .map(({ name, text }) => {
      if (/^(?:package|server|manifest)\.json$/i.test(name)) {
        try {
          const { name: own, description, keywords, title, display_name: shown } = asObject(JSON.parse(text));
          return [own, description, title, shown].map(asString).concat(asStrings(keywords)).join(' ');
        } catch {
          return '';
        }
      }
      if (/^pyproject\.toml$/i.test(name))
        return (text.match(/^\s*(?:name|description|keywords)\s*=.*$/gm) ?? []).join(' ');
      return /^readme/i.test(name) ? (/^#\s+(.{1,200})$/m.exec(text)?.[1] ?? '') : '';
    })
    .join(' ')
    .toLowerCase();
}

const shortestService = 4;

/** `api.notion.com` belongs to a server that calls itself one for Notion. */
function namedServices(contacted: readonly string[], purpose: string): readonly string[] {
  const words = new Set(purpose.split(/[^a-z0-9]+/));
  return contacted.filter((host) => {
    const [service = ''] = zoneOf(host).split('.');
    return service.length >= shortestService && words.has(service);
  });
}

function listedText({ instructions, listing }: DeclaredSources): string {
  const { tools = [], prompts = [], resources = [] } = listing ?? {};
  return JSON.stringify([instructions, tools, prompts, resources]).slice(0, mostTextCharacters);
}

/** Lower case; a name covers those below it. */
export async function declaredHosts(sources: DeclaredSources): Promise<readonly string[]> {
  const all = await readDocuments(sources.folder);
  const found = new Set<string>();
  for (const text of sources.given.slice(0, 1000)) hostsIn(text.slice(0, 8192), found);
  for (const { name, text } of all) hostsIn(withoutSources(name, text), found);
  hostsIn(listedText(sources), found);
  for (const host of namedServices(sources.contacted ?? [], purposeOf(all))) found.add(host.toLowerCase());
  return [...found];
}
