import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const password: Vendor = {
  id: 'password',
  title: 'A password that somebody chose with a generator',
  kind: 'password',
  make: (random) => ({ token: random.text(`${alphabets.base62}!#%&*+-=?@^_`, 20) }),
};
