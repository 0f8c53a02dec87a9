import type { Vendor } from '../canary.ts';
import { withChecksum } from './checksum.ts';

export const githubOauth: Vendor = {
  id: 'github-oauth',
  title: 'GitHub token of the command line client',
  kind: 'code',
  make: (random) => ({ token: withChecksum('gho_', random) }),
};
