import type { RuleTable } from '../inquiry/rule.ts';

export const openapiGroup = 'openapi';

export const openapiRules = {
  'operation-missing': {
    title: 'A documented operation is not there',
    severity: 'info',
    evidenceClass: 'A',
    cwe: [],
    remediation: 'Remove the operation from the document, or serve it.',
  },
  'undocumented-method': {
    title: 'A method that the document does not have is answered',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-1059', 'CWE-749'],
    remediation: 'Document the method and protect it like the others, or answer 405.',
  },
  'undocumented-endpoint': {
    title: 'An endpoint that the document does not have is answered',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-1059', 'CWE-749'],
    remediation: 'Document the endpoint and protect it, or do not serve it where callers of the API can reach it.',
  },
  'authentication-missing': {
    title: 'An operation that needs a credential by its document is served without one',
    severity: 'high',
    evidenceClass: 'B',
    cwe: ['CWE-306'],
    remediation: 'Check the credential before the operation, for every method of the path.',
  },
  'credential-not-checked': {
    title: 'A credential that does not exist is accepted',
    severity: 'critical',
    evidenceClass: 'A',
    cwe: ['CWE-287', 'CWE-345'],
    remediation: 'Verify the credential itself, and not only that there is one.',
  },
  'unprotected-write': {
    title: 'An operation that changes data needs no credential by its document',
    severity: 'info',
    evidenceClass: 'C',
    cwe: ['CWE-306'],
    remediation: 'Add a security requirement to the operation and enforce it, or say in the document why it is open.',
  },
  'input-not-enforced': {
    title: 'Input that the document forbids is accepted',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-20', 'CWE-1286'],
    remediation: 'Validate every parameter against the schema of the document, and answer 400.',
  },
  'unhandled-input': {
    title: 'Input that the document forbids makes the server fail',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-20', 'CWE-755'],
    remediation: 'Validate every parameter before it is used, and answer 400.',
  },
  'undeclared-response': {
    title: 'An answer is of a kind that the document does not have',
    severity: 'info',
    evidenceClass: 'A',
    cwe: ['CWE-1059'],
    remediation: 'Document every status and content type, or answer as documented.',
  },
  'excess-data': {
    title: 'An answer has fields that the document does not have',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-213', 'CWE-200'],
    remediation: 'Build answers from the schema, field by field, instead of sending whole records.',
  },
  'plain-http-server': {
    title: 'The document sends its clients to plain http',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-319'],
    remediation: 'Name https servers only.',
  },
  'secret-in-document': {
    title: 'The document holds what looks like a real secret',
    severity: 'high',
    evidenceClass: 'B',
    cwe: ['CWE-540', 'CWE-798'],
    remediation: 'Revoke the secret and put a placeholder in its place.',
  },
  'api-key-in-query': {
    title: 'A credential is sent in the URL',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-598'],
    remediation: 'Send keys in a header: URLs end up in logs and histories.',
  },
} as const satisfies RuleTable<string>;

export type OpenapiRule = keyof typeof openapiRules;
