import type { Vendor } from '../canary.ts';
import { withChecksum } from './checksum.ts';

export const npmToken: Vendor = {
  id: 'npm-token',
  title: 'npm access token',
  kind: 'code',
  make: (random) => ({ token: withChecksum('npm_', random) }),
};
