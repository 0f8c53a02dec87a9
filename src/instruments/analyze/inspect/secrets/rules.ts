import type { Rule } from '../rule.ts';

/** Examples are files. Tokens are written in two pieces, so that nobody takes this file for a leak. */
export type SecretExample = Readonly<Record<string, string>>;

const token = ['AKIA', 'Z3QWXN7RLBHTKD52'].join('');
const random = ['f3K9', 'xQ2vLw8Zr1TnYb6Ue4Hs'].join('');

export const secretRules = {
  format: {
    id: 'secrets/known-format',
    title: 'A secret in the form of its vendor',
    severity: 'high',
    axis: 'exposure',
    cwe: ['CWE-798'],
    owasp: ['MCP01'],
    what: 'A token or key with the prefix, length and, where there is one, the checksum of a known vendor, in code or settings.',
    why: 'Whoever has the package has the secret.',
    remediation: 'Revoke it with its vendor, then read it from the environment or a secret store.',
    fires: { 'src/index.js': `const key = "${token}";` },
    silent: { 'src/index.js': ['const key = "AKIA', 'IOSFODNN7EXAMPLE";'].join('') },
  },
  assigned: {
    id: 'secrets/assigned-value',
    title: 'A random value where a secret is named',
    severity: 'medium',
    axis: 'exposure',
    cwe: ['CWE-798'],
    owasp: ['MCP01'],
    what: 'A name such as password, token or api key that is given a value which no person would choose.',
    why: 'It may be a working credential.',
    remediation: 'Replace it and keep it out of the code: environment, secret store, or a prompt of the client.',
    fires: { 'config.json': `{"api_key": "${random}"}` },
    silent: { 'config.json': '{"api_key": "<your-api-key>", "token": "${API_TOKEN}"}' },
  },
  url: {
    id: 'secrets/password-in-url',
    title: 'A password in a URL',
    severity: 'medium',
    axis: 'exposure',
    cwe: ['CWE-798', 'CWE-522'],
    owasp: ['MCP01'],
    what: 'User and password written into the address of a database or service.',
    why: 'Addresses end up in logs, histories and error messages.',
    remediation: 'Give the password apart from the address.',
    fires: { 'index.py': `DB = "postgres://app:${random}@db.internal.net:5432/app"` },
    silent: { 'index.py': 'DB = "postgres://user:password@localhost:5432/app"' },
  },
} as const satisfies Readonly<Record<string, Rule<SecretExample>>>;
