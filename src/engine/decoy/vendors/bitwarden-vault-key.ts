import type { Vendor } from '../canary.ts';

/** An encrypted string of a Bitwarden vault: type 2, then initial vector, cipher text and authentication code. */
export const bitwardenVaultKey: Vendor = {
  id: 'bitwarden-vault-key',
  title: 'Encrypted key of a password vault',
  kind: 'password',
  make: (random) => {
    const [vector, text, code] = [16, 80, 32].map((size) => random.bytes(size).toString('base64'));
    return { token: `2.${vector}|${text}|${code}`, needles: [Buffer.from(text ?? '')] };
  },
};
