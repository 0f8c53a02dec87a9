import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

export const googleRefreshToken: Vendor = {
  id: 'google-refresh-token',
  title: 'Google OAuth refresh token',
  kind: 'cloud',
  make: (random) => ({
    token: `1//0${random.pick(['3', '4', '6', '9', 'e', 'g'])}${random.text(alphabets.base64url, 60)}`,
  }),
};
