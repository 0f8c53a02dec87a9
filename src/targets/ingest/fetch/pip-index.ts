import { asFields, asText } from './npm-metadata.ts';

/** Pages of a package index: JSON as PEP 691 has it, or HTML as PEP 503 has it. */

export interface IndexFile {
  readonly filename: string;
  readonly url: string;
  /** Hexadecimal, by algorithm. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly requiresPython?: string;
  readonly isYanked: boolean;
  /** Whether the index gives the metadata apart; with its hash when it tells one. */
  readonly metadata?: { readonly sha256?: string };
  readonly uploadedAt?: string;
}

const mostFiles = 50_000;
const knownHashes = /^(sha256|sha384|sha512)$/;

function resolve(href: string, base: string): string | undefined {
  return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}

function readMetadata(value: unknown): IndexFile['metadata'] {
  if (value === true || value === 'true') return {};
  const sha256 = asText(asFields(value).sha256) ?? /^sha256=([0-9a-f]{64})$/i.exec(asText(value) ?? '')?.[1];
  return sha256 === undefined ? undefined : { sha256: sha256.toLowerCase() };
}

function readJsonFile(value: unknown, base: string): IndexFile | undefined {
  const file = asFields(value);
  const [filename, href] = [asText(file.filename), asText(file.url)];
  const url = href === undefined ? undefined : resolve(href, base);
  if (filename === undefined || url === undefined) return undefined;
  const hashes = Object.entries(asFields(file.hashes)).flatMap(([name, hash]): [string, string][] =>
    knownHashes.test(name) && typeof hash === 'string' ? [[name, hash.toLowerCase()]] : [],
  );
  const requiresPython = asText(file['requires-python']);
  const uploadedAt = asText(file['upload-time']);
  const metadata = readMetadata(file['core-metadata'] ?? file['dist-info-metadata']);
  return {
    filename,
    url,
    hashes: new Map(hashes),
    isYanked: file.yanked !== undefined && file.yanked !== false,
    ...(requiresPython ? { requiresPython } : {}),
    ...(uploadedAt ? { uploadedAt } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#34': '"',
  '#x27': "'",
};

function decodeEntities(text: string): string {
  return text.replace(/&(#?\w{1,8});/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
}

function attributesOf(tag: string): ReadonlyMap<string, string> {
  const found = tag.matchAll(/([a-zA-Z][\w-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g);
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decodeEntities(double ?? single ?? bare ?? ''),
    ]),
  );
}

function readAnchor(tag: string, base: string): IndexFile | undefined {
  const attributes = attributesOf(tag);
  const url = resolve(attributes.get('href') ?? '', base);
  if (url === undefined || !attributes.has('href')) return undefined;
  const parsed = new URL(url);
  const [, algorithm = '', hash = ''] = /^#(\w+)=([0-9a-f]+)/i.exec(parsed.hash) ?? [];
  parsed.hash = '';
  const requiresPython = attributes.get('data-requires-python');
  const metadata = readMetadata(attributes.get('data-core-metadata') ?? attributes.get('data-dist-info-metadata'));
  return {
    filename: decodeSafely(parsed.pathname.split('/').at(-1) ?? ''),
    url: parsed.href,
    hashes: new Map(knownHashes.test(algorithm) ? [[algorithm, hash.toLowerCase()]] : []),
    isYanked: attributes.has('data-yanked'),
    ...(requiresPython ? { requiresPython } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function readHtmlIndex(html: string, pageUrl: string): IndexFile[] {
  const baseTag = /<base\s[^>]*>/i.exec(html)?.[0];
  const base =
    (baseTag === undefined ? undefined : resolve(attributesOf(baseTag.slice(5)).get('href') ?? '', pageUrl)) ?? pageUrl;
  const files: IndexFile[] = [];
  for (const [, tag = ''] of html.matchAll(/<a\s([^>]*)>/gi)) {
    const file = readAnchor(tag, base);
    if (file !== undefined) files.push(file);
    if (files.length >= mostFiles) break;
  }
  return files;
}

/** Nothing that throws: a page that is no index has no files. */
export function readIndex(text: string, type: string, pageUrl: string): IndexFile[] {
  if (!/json/i.test(type)) return readHtmlIndex(text, pageUrl);
  try {
    const files: unknown = asFields(JSON.parse(text)).files;
    if (!Array.isArray(files)) return [];
    return files.slice(0, mostFiles).flatMap((file) => readJsonFile(file, pageUrl) ?? []);
  } catch {
    return [];
  }
}
