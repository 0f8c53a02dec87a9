import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const sendgridKey: Vendor = {
  id: 'sendgrid-key',
  title: 'SendGrid API key',
  kind: 'service',
  make: (random) => ({
    token: `SG.${random.text(alphabets.base64url, 22)}.${random.text(alphabets.base64url, 43)}`,
  }),
};
