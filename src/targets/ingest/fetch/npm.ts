import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type pacoteModule from 'pacote';
import { isKnownError, TargetError } from '../../../base/errors.ts';
import type { NpmTarget } from '../target/contract.ts';
import { type FetchContext, type Fetched, limitsOf } from './contract.ts';
import { explainNpmError } from './npm-errors.ts';
import { asFields, asText, factsOf } from './npm-metadata.ts';
import { readNpmSettings } from './npm-settings.ts';
import { saveStream } from './save-stream.ts';
import { withoutCredentials } from './shown-url.ts';

type Pacote = typeof pacoteModule;

/** Loaded when it is needed: it is large, and most scans of a folder never ask a registry. */
export async function loadPacote(): Promise<Pacote> {
  const loaded = (await import('pacote')) as unknown as { readonly default: Pacote };
  return loaded.default;
}

/** `sha512-base64` and `sha1-base64` of what the registry told, by algorithm. */
function toldHashes(dist: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const told = new Map<string, string>();
  const shasum = asText(dist.shasum);
  if (shasum !== undefined && /^[0-9a-f]{40}$/i.test(shasum))
    told.set('sha1', Buffer.from(shasum, 'hex').toString('base64'));
  for (const part of (asText(dist.integrity) ?? '').split(/\s+/)) {
    const match = /^(sha256|sha384|sha512)-([A-Za-z0-9+/]+={0,2})$/.exec(part);
    if (match !== null) told.set(match[1] ?? '', match[2] ?? '');
  }
  return told;
}

/** The stream can fail before anybody has begun to read it; an error that nobody hears would end the process. */
function listenAtOnce(stream: NodeJS.ReadableStream): Readable {
  const body = new PassThrough();
  body.on('error', () => undefined);
  stream.on('error', (error: Error) => body.destroy(error));
  stream.pipe(body);
  return body;
}

/**
 * The tarball of one version, in `into`. The registry's hash is checked by pacote on the way and here again over the
 * file that was written.
 */
export async function fetchNpm(target: NpmTarget, context: FetchContext, into: string): Promise<Fetched> {
  const spec = `${target.name}@${target.wanted.value}`;
  const operation = `npm package ${spec}`;
  const settings = await readNpmSettings(context);
  const pacote = await loadPacote();
  try {
    const manifest = asFields(await pacote.manifest(spec, { ...settings, fullMetadata: true }));
    const packument = asFields(
      await pacote.packument(target.name, { ...settings, fullMetadata: true, preferOffline: true }),
    );
    const version = asText(manifest.version);
    const resolved = asText(manifest._resolved);
    if (version === undefined || resolved === undefined || !/^https?:\/\//.test(resolved)) {
      throw new TargetError(`${operation}: the registry names no file to fetch`);
    }
    const told = toldHashes(asFields(manifest.dist));
    await mkdir(into, { recursive: true });
    const archive = join(into, 'package.tgz');
    const { maxArchiveBytes } = limitsOf(context);
    const algorithms = [...new Set([...told.keys(), 'sha512'])];
    const hashes = await pacote.tarball.stream(
      `${target.name}@${version}`,
      (stream) => saveStream(listenAtOnce(stream), archive, maxArchiveBytes, algorithms),
      {
        ...settings,
        resolved,
        fullMetadata: true,
        ...(asText(manifest._integrity) && { integrity: String(manifest._integrity) }),
      },
    );
    for (const [algorithm, expected] of told) {
      if (hashes.get(algorithm)?.toString('base64') === expected) continue;
      throw new TargetError(`${operation}: the file does not have the ${algorithm} hash that the registry tells`);
    }
    return {
      name: target.name,
      version,
      integrity: `sha512-${hashes.get('sha512')?.toString('base64')}`,
      isVerified: told.size > 0,
      origin: withoutCredentials(resolved),
      archive,
      registry: factsOf(packument, version),
      manifest,
    };
  } catch (error) {
    throw isKnownError(error) ? error : explainNpmError(error, operation);
  }
}
