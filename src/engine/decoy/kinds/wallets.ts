import { baitFile, type DecoyKind, daysBefore } from '../decoy.ts';
import { alphabets } from '../random.ts';
import { makeUuid } from '../uuid.ts';
import { ethereumCipherText } from '../vendors/ethereum-cipher-text.ts';
import { solanaKey } from '../vendors/solana-key.ts';

export const wallets: DecoyKind = {
  id: 'wallets',
  title: 'Crypto wallets',
  make: (context) => {
    const { random, now } = context;
    const address = random.text(alphabets.hex, 40);
    const madeAt = daysBefore(now, 212).toISOString().replaceAll(':', '-').replace('Z', '000000Z');
    return {
      files: [
        baitFile(context, '.config/solana/id.json', [solanaKey], (key) => key),
        baitFile(context, `.ethereum/keystore/UTC--${madeAt}--${address}`, [ethereumCipherText], (ciphertext) =>
          JSON.stringify({
            address,
            crypto: {
              cipher: 'aes-128-ctr',
              ciphertext,
              cipherparams: { iv: random.text(alphabets.hex, 32) },
              kdf: 'scrypt',
              kdfparams: { dklen: 32, n: 262144, p: 1, r: 8, salt: random.text(alphabets.hex, 64) },
              mac: random.text(alphabets.hex, 64),
            },
            id: makeUuid(random),
            version: 3,
          }),
        ),
      ],
    };
  },
};
