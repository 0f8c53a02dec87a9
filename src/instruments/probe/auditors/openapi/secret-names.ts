/** Names of fields that tell of secrets. `passwordHash`, `password_hash` and `user.password-hash` are the same words. */

const words: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'secret',
  'secrets',
  'token',
  'apikey',
  'privatekey',
  'ssn',
  'cvv',
  'cvc',
  'pin',
  'salt',
  'otp',
  'totp',
  'mfa',
  'credential',
  'credentials',
  'iban',
]);
const pairs: ReadonlySet<string> = new Set([
  'api key',
  'private key',
  'secret key',
  'access key',
  'card number',
  'credit card',
  'social security',
  'password hash',
  'session id',
  'tax id',
  'security answer',
  'bank account',
]);

export function isSecretName(name: string): boolean {
  const parts = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '');
  return parts.some((part, at) => words.has(part) || pairs.has(`${part} ${parts[at + 1] ?? ''}`));
}
