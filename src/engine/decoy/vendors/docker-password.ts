import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const dockerPassword: Vendor = {
  id: 'docker-password',
  title: 'Docker Hub access token',
  kind: 'code',
  make: (random) => ({ token: `dckr_pat_${random.text(alphabets.base64url, 27)}` }),
};
