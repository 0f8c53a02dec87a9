import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const awsSecretKey: Vendor = {
  id: 'aws-secret-key',
  title: 'AWS secret access key',
  kind: 'cloud',
  make: (random) => ({ token: random.text(alphabets.base64, 40) }),
};
