import { baitFile, type DecoyKind } from '../decoy.ts';
import { makeUuid } from '../uuid.ts';
import { bitwardenVaultKey } from '../vendors/bitwarden-vault-key.ts';
import { sessionCookie } from '../vendors/session-cookie.ts';

export const vault: DecoyKind = {
  id: 'vault',
  title: 'A password manager with its vault',
  make: (context) => {
    const { random, person } = context;
    const user = makeUuid(random);
    return {
      files: [
        baitFile(
          context,
          '.config/Bitwarden CLI/data.json',
          [bitwardenVaultKey, bitwardenVaultKey, sessionCookie],
          (key, password, token) =>
            `${JSON.stringify(
              {
                global_account_accounts: { [user]: { email: person.email, emailVerified: true, name: person.name } },
                global_account_activeAccountId: user,
                [`user_${user}_masterPassword_masterKeyEncryptedUserKey`]: key,
                [`user_${user}_token_refreshToken`]: token,
                [`user_${user}_ciphers_ciphers`]: {
                  [makeUuid(random)]: { type: 1, login: { username: person.email, password } },
                },
              },
              null,
              2,
            )}\n`,
        ),
      ],
    };
  },
};
