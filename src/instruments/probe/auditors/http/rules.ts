import type { Severity } from '../../../../base/finding-schema.ts';
import type { AuditRule } from '../inquiry/rule.ts';

type Row = readonly [severity: Severity, evidence: 'A' | 'B' | 'C', cwe: string, title: string, remediation: string];

/** What is missing from an answer is proven by the answer, and worth little: none of it opens anything by itself. */
const rows = {
  'no-hsts': [
    'low',
    'A',
    'CWE-319',
    'Browsers are not told to stay with HTTPS',
    'Send Strict-Transport-Security: max-age=31536000; includeSubDomains.',
  ],
  'short-hsts': [
    'info',
    'A',
    'CWE-319',
    'Browsers are told to stay with HTTPS for a short time only',
    'Raise max-age of Strict-Transport-Security to a year.',
  ],
  'no-csp': [
    'low',
    'A',
    'CWE-693',
    'A page without a content security policy',
    'Send a Content-Security-Policy that names where scripts may come from.',
  ],
  'weak-csp': [
    'info',
    'A',
    'CWE-693',
    'The content security policy lets any script run',
    "Take 'unsafe-inline' and * out of script-src; use nonces or hashes.",
  ],
  'no-nosniff': [
    'low',
    'A',
    'CWE-693',
    'Browsers may guess another type for the answer',
    'Send X-Content-Type-Options: nosniff.',
  ],
  'no-frame-protection': [
    'low',
    'A',
    'CWE-1021',
    'Other sites can put the page into a frame',
    "Send Content-Security-Policy: frame-ancestors 'none' (or 'self').",
  ],
  'no-referrer-policy': [
    'info',
    'A',
    'CWE-200',
    'No referrer policy',
    'Send Referrer-Policy: strict-origin-when-cross-origin or stricter.',
  ],
  'no-permissions-policy': [
    'info',
    'A',
    'CWE-693',
    'No permissions policy',
    'Send a Permissions-Policy that switches off what the page does not use.',
  ],
  'api-cacheable': [
    'info',
    'A',
    'CWE-525',
    'An answer of the API may be kept by caches',
    'Send Cache-Control: no-store with answers that are not for everybody.',
  ],
  'cors-any-origin': [
    'high',
    'A',
    'CWE-942',
    'Every site may read answers with the cookies of a user',
    'Compare Origin with a fixed list, and send Access-Control-Allow-Credentials only for those on it.',
  ],
  'cors-null-origin': [
    'medium',
    'A',
    'CWE-942',
    'Documents without an origin may read answers with the cookies of a user',
    'Never allow the origin "null".',
  ],
  'cors-lax-origin': [
    'high',
    'A',
    'CWE-942',
    'Sites whose name merely resembles this one may read answers with the cookies of a user',
    'Compare the whole Origin, and not a part of it.',
  ],
  'cors-wildcard': [
    'info',
    'A',
    'CWE-942',
    'Every site may read the answer',
    'Allow only the origins that need it, unless the answer is for everybody.',
  ],
  'cookie-not-secure': ['low', 'A', 'CWE-614', 'A cookie without Secure', 'Set Secure on every cookie.'],
  'cookie-not-http-only': [
    'low',
    'A',
    'CWE-1004',
    'A session cookie that scripts can read',
    'Set HttpOnly on cookies of sessions.',
  ],
  'cookie-no-same-site': [
    'info',
    'A',
    'CWE-1275',
    'A session cookie without SameSite',
    'Set SameSite=Lax or Strict on cookies of sessions.',
  ],
  'version-disclosure': [
    'info',
    'A',
    'CWE-200',
    'The server tells its version',
    'Switch off what tells versions in headers.',
  ],
  'trace-enabled': ['low', 'A', 'CWE-693', 'TRACE sends the headers of a request back', 'Switch TRACE off.'],
  'methods-offered': [
    'info',
    'B',
    'CWE-650',
    'Methods are offered that an API hardly needs',
    'Offer only the methods that are used.',
  ],
  'stack-trace': [
    'low',
    'A',
    'CWE-209',
    'An error page with a stack trace or a path of the server',
    'Answer errors with a plain message, and keep the trace in the log.',
  ],
  'debug-page': [
    'medium',
    'A',
    'CWE-489',
    'The framework runs in debug mode',
    'Switch debug mode off where others can reach the server.',
  ],
  'open-redirect': [
    'medium',
    'A',
    'CWE-601',
    'Redirects to any site that a parameter names',
    'Redirect only to paths of this site or to a fixed list.',
  ],
  'directory-listing': ['low', 'A', 'CWE-548', 'A folder is listed', 'Switch the listing of folders off.'],
  'no-https': [
    'low',
    'A',
    'CWE-319',
    'HTTP is answered without going over to HTTPS',
    'Answer HTTP with a redirect to HTTPS only.',
  ],
} as const satisfies Record<string, Row>;

export type HttpRule = keyof typeof rows;

export const httpRules = Object.fromEntries(
  Object.entries(rows).map(([name, [severity, evidenceClass, cwe, title, remediation]]) => [
    name,
    { severity, evidenceClass, cwe: [cwe], title, remediation },
  ]),
) as unknown as Readonly<Record<HttpRule, AuditRule>>;
