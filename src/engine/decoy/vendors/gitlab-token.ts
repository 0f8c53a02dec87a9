import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const gitlabToken: Vendor = {
  id: 'gitlab-token',
  title: 'GitLab personal access token',
  kind: 'code',
  make: (random) => ({ token: `glpat-${random.text(alphabets.base64url, 20)}` }),
};
