import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';
import { withChecksum } from './checksum.ts';

export const githubFine: Vendor = {
  id: 'github-fine',
  title: 'GitHub fine-grained token',
  kind: 'code',
  make: (random) => ({ token: withChecksum(`github_pat_${random.text(alphabets.base62, 22)}_`, random, 53) }),
};
