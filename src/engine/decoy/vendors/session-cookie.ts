import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const sessionCookie: Vendor = {
  id: 'session-cookie',
  title: 'A session cookie',
  kind: 'session',
  make: (random) => ({ token: random.text(alphabets.base64url, 64) }),
};
