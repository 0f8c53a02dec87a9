import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const anthropicKey: Vendor = {
  id: 'anthropic-key',
  title: 'Anthropic API key',
  kind: 'service',
  make: (random) => ({ token: `sk-ant-api03-${random.text(alphabets.base64url, 93)}AA` }),
};
