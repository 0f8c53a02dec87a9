import { join } from 'node:path';
import type { FetchContext } from '../../../targets/ingest/fetch/contract.ts';
import { readNpmSettings } from '../../../targets/ingest/fetch/npm-settings.ts';
import {
  type AdvisorySource,
  bundledSource,
  fetchClient,
  npmBulkSource,
  osvApiSource,
  osvOfflineSource,
  osvScanner,
  scannerSource,
  trivy,
} from '../inspect/advisories/index.ts';

/** All sources of advisories that can be asked here. Each says of itself whether it could be reached. */

export const osvHost = 'https://api.osv.dev';

export function osvFolder(home: string): string {
  return join(home, 'osv');
}

async function npmRegistry(context: FetchContext): Promise<AdvisorySource[]> {
  const settings = await readNpmSettings(context).catch(() => null);
  const registry = settings?.registry;
  if (settings === null || typeof registry !== 'string') return [];
  // Credentials stand under the address of the registry without its scheme.
  const token = settings[`${registry.replace(/^https?:/, '')}:_authToken`];
  const headers = typeof token === 'string' ? { authorization: `Bearer ${token}` } : {};
  return [npmBulkSource({ client: fetchClient, registry, headers })];
}

export async function advisorySources(home: string, context: FetchContext): Promise<readonly AdvisorySource[]> {
  const local = [
    bundledSource(),
    osvOfflineSource({ folder: osvFolder(home) }),
    scannerSource(trivy),
    scannerSource(osvScanner),
  ];
  if (context.isOffline) return local;
  return [...local, osvApiSource({ client: fetchClient, host: osvHost }), ...(await npmRegistry(context))];
}
