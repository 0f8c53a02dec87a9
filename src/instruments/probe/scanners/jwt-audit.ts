import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { defineScanner } from '../contract.ts';
import { buildOwn, credentialField, ownScanner, urlField } from './own.ts';

export const jwtAudit = defineScanner({
  ...ownScanner,
  name: 'jwt_audit',
  command: 'jwt',
  title: 'Audit a JSON Web Token',
  description:
    'Looks at a token (algorithm, guessable secret, lifetime, claims) and whether the URL that needs it accepts forged ones: no signature, a changed one, the algorithm none, a public key as the secret. Forged tokens never ask for more than the real one.',
  positional: 'url',
  input: z.strictObject({
    url: urlField.describe('URL inside the scope that refuses requests without the token'),
    token: z
      .string()
      .max(8192)
      .regex(/^[A-Za-z0-9_-]{2,4096}\.[A-Za-z0-9_-]{0,6000}\.[A-Za-z0-9_-]{0,4096}$/)
      .optional()
      .describe('signed token in its compact form; or name a credential that holds one'),
    credential: credentialField,
  }),
  examples: [
    { input: { url: 'http://192.0.2.7:8080/me', credential: 'user' }, says: 'the token of a credential of the scope' },
  ],
  aim(input, means) {
    if ((input.token === undefined) === (input.credential === undefined)) {
      throw new UsageError('give either a token or the name of a credential that holds one');
    }
    return means.url(input.url);
  },
  build: (input, means) => buildOwn('jwt', input, means),
});
