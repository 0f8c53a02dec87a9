import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const googleApiKey: Vendor = {
  id: 'google-api-key',
  title: 'Google API key',
  kind: 'cloud',
  make: (random) => ({ token: `AIza${random.text(alphabets.base64url, 35)}` }),
};
