import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const stripeKey: Vendor = {
  id: 'stripe-key',
  title: 'Stripe secret key',
  kind: 'service',
  make: (random) => ({ token: `sk_live_51${random.text(alphabets.base62, 97)}` }),
};
