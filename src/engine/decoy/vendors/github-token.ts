import type { Vendor } from '../canary.ts';
import { withChecksum } from './checksum.ts';

export const githubToken: Vendor = {
  id: 'github-token',
  title: 'GitHub personal access token',
  kind: 'code',
  make: (random) => ({ token: withChecksum('ghp_', random) }),
};
