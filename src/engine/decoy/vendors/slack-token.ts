import type { Vendor } from '../canary.ts';
import { alphabets, type Random } from '../random.ts';

const leading = (random: Random): number => 1 + random.below(9);

export const slackToken: Vendor = {
  id: 'slack-token',
  title: 'Slack bot token',
  kind: 'service',
  make: (random) => ({
    token: `xoxb-${leading(random)}${random.text(alphabets.digits, 11)}-${leading(random)}${random.text(alphabets.digits, 12)}-${random.text(alphabets.base62, 24)}`,
  }),
};
