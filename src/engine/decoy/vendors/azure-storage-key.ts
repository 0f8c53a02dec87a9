import type { Vendor } from '../canary.ts';

export const azureStorageKey: Vendor = {
  id: 'azure-storage-key',
  title: 'Azure storage account key',
  kind: 'cloud',
  make: (random) => ({ token: random.bytes(64).toString('base64') }),
};
