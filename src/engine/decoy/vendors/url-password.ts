import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const urlPassword: Vendor = {
  id: 'url-password',
  title: 'A password that fits into an address',
  kind: 'password',
  make: (random) => ({ token: random.text(alphabets.base62, 24) }),
};
