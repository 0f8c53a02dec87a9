import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const digitaloceanToken: Vendor = {
  id: 'digitalocean-token',
  title: 'DigitalOcean personal access token',
  kind: 'cloud',
  make: (random) => ({ token: `dop_v1_${random.text(alphabets.hex, 64)}` }),
};
