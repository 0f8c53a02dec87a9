import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const azureSecret: Vendor = {
  id: 'azure-secret',
  title: 'Azure client secret',
  kind: 'cloud',
  make: (random) => ({
    token: `${random.text(alphabets.base62, 3)}8Q~${random.text(`${alphabets.base62}_.~-`, 34)}`,
  }),
};
