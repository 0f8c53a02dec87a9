import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchContext } from '../ingest/fetch/contract.ts';
import { fetchNpm, loadPacote } from '../ingest/fetch/npm.ts';
import { asText } from '../ingest/fetch/npm-metadata.ts';
import { readNpmSettings } from '../ingest/fetch/npm-settings.ts';

/** Archives of npm packages, from the cache by their hash where they are there. */

export interface WantedArchive {
  readonly name: string;
  readonly version: string;
  readonly integrity?: string;
}

export interface NpmArchives {
  /** Host names of the registries that this user's settings name. */
  readonly hosts: readonly string[];
  read(wanted: WantedArchive): Promise<Buffer>;
}

/** Settings name one registry for all, and others for scopes as `@scope:registry`. */
function registryFor(name: string, settings: Readonly<Record<string, unknown>>): string | undefined {
  const scope = name.startsWith('@') ? name.split('/')[0] : undefined;
  const own = scope === undefined ? undefined : asText(settings[`${scope}:registry`]);
  return own ?? asText(settings.registry);
}

function hostsOf(settings: Readonly<Record<string, unknown>>): readonly string[] {
  const places = Object.entries(settings).flatMap(([key, value]) =>
    key === 'registry' || key.endsWith(':registry') ? [asText(value) ?? ''] : [],
  );
  return [...new Set(places.flatMap((place) => (URL.canParse(place) ? [new URL(place).host] : [])))];
}

export async function openNpmArchives(context: FetchContext, workFolder: string): Promise<NpmArchives> {
  const settings = await readNpmSettings(context);
  const pacote = await loadPacote();
  let count = 0;
  async function fetchWhole({ name, version }: WantedArchive): Promise<Buffer> {
    count += 1;
    const into = join(workFolder, `archive-${count}`);
    try {
      const target = { kind: 'npm' as const, name, wanted: { is: 'version' as const, value: version } };
      return await readFile((await fetchNpm(target, context, into)).archive);
    } finally {
      await rm(into, { recursive: true, force: true });
    }
  }
  return {
    hosts: hostsOf(settings),
    async read(wanted) {
      const { name, version, integrity } = wanted;
      const registry = registryFor(name, settings);
      if (integrity === undefined || registry === undefined) return fetchWhole(wanted);
      // The usual address is only needed where the cache does not have the hash; what comes must fit the hash.
      const resolved = `${registry.replace(/\/+$/, '')}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
      try {
        return await pacote.tarball(`${name}@${version}`, { ...settings, resolved, integrity });
      } catch {
        return fetchWhole(wanted);
      }
    },
  };
}
