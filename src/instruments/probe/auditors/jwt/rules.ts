import type { Severity } from '../../../../base/finding-schema.ts';
import type { AuditRule } from '../inquiry/rule.ts';

type Row = readonly [
  severity: Severity,
  evidence: 'A' | 'B' | 'C',
  cwe: readonly string[],
  title: string,
  remediation: string,
];

const verify =
  'Verify every token with a library that is told the one algorithm and the key to expect, and refuse all others.';

/** The first group was seen in the token, the second in how the server answers to others like it. */
const rows = {
  'unsigned-token': ['high', 'B', ['CWE-347'], 'The token is not signed', verify],
  'weak-secret': [
    'critical',
    'A',
    ['CWE-521', 'CWE-798'],
    'The token is signed with a secret that is easily guessed',
    'Sign with at least 32 random bytes, and make all tokens of the old secret invalid.',
  ],
  'no-expiry': ['medium', 'A', ['CWE-613'], 'The token never expires', 'Set exp to minutes or hours.'],
  'no-issue-time': [
    'info',
    'A',
    ['CWE-613'],
    'The token does not say when it was issued',
    'Set iat, so that old tokens can be made invalid.',
  ],
  'long-lifetime': [
    'low',
    'A',
    ['CWE-613'],
    'The token is valid for more than a day',
    'Issue tokens for minutes or hours, and refresh them.',
  ],
  'expired-token': [
    'info',
    'A',
    ['CWE-613'],
    'The token has expired',
    'Give a token that is valid, so that answers can be compared.',
  ],
  'key-address': [
    'low',
    'C',
    ['CWE-345', 'CWE-918'],
    'The header of the token says where its key is to be fetched',
    'Ignore jku and x5u, or compare them with a fixed list.',
  ],
  'key-inside': [
    'low',
    'C',
    ['CWE-347'],
    'The header of the token brings a key along',
    'Ignore jwk and x5c in tokens; take keys from your own store only.',
  ],
  'odd-key-id': [
    'low',
    'C',
    ['CWE-22', 'CWE-89'],
    'The key id of the token looks like a path or a query',
    'Use key ids as names in a fixed table, and never as a path or in a query.',
  ],
  'sensitive-claims': [
    'low',
    'B',
    ['CWE-312'],
    'The token carries claims that should be secret',
    'A token can be read by whoever holds it: keep secrets out of it.',
  ],
  'signature-not-checked': ['critical', 'A', ['CWE-347'], 'The signature of tokens is not checked', verify],
  'signature-not-required': ['critical', 'A', ['CWE-347'], 'Tokens without a signature are accepted', verify],
  'none-accepted': ['critical', 'A', ['CWE-347', 'CWE-327'], 'Tokens with the algorithm none are accepted', verify],
  'key-confusion': [
    'critical',
    'A',
    ['CWE-347', 'CWE-327'],
    'The public key is accepted as the secret of an HMAC',
    verify,
  ],
  'foreign-key-accepted': [
    'critical',
    'A',
    ['CWE-347'],
    'A key that the token brings along is trusted',
    'Ignore jwk in tokens; take keys from your own store only.',
  ],
  'key-id-path': [
    'critical',
    'A',
    ['CWE-22', 'CWE-347'],
    'The key id is used as a path to the key',
    'Use key ids as names in a fixed table, and never as a path.',
  ],
  'expired-accepted': [
    'high',
    'A',
    ['CWE-613'],
    'Expired tokens are accepted',
    'Check exp, with no more than a minute of tolerance.',
  ],
} as const satisfies Record<string, Row>;

export type JwtRule = keyof typeof rows;

export const jwtRules = Object.fromEntries(
  Object.entries(rows).map(([name, [severity, evidenceClass, cwe, title, remediation]]) => [
    name,
    { severity, evidenceClass, cwe, title, remediation },
  ]),
) as unknown as Readonly<Record<JwtRule, AuditRule>>;
