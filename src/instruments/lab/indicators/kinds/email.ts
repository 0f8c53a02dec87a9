import type { IndicatorKind } from '../kind.ts';
import { readEmail } from '../read-email.ts';

export const email: IndicatorKind = {
  type: 'email',
  title: 'e-mail address',
  misp: { type: 'email', category: 'Network activity' },
  stix: { path: 'email-addr:value', observable: (value) => ({ type: 'email-addr', value }) },
  defang: 'email',
  readers: [{ trigger: 'at', read: readEmail }],
};
