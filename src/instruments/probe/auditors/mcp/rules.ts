import type { RuleTable } from '../inquiry/rule.ts';

export const mcpGroup = 'mcp';

export const mcpRules = {
  'tools-without-authentication': {
    title: 'Anybody who reaches the endpoint can list its tools',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-306'],
    remediation: 'Demand a credential for every request, and answer 401 without one.',
  },
  'resources-without-authentication': {
    title: 'Anybody who reaches the endpoint can list its resources',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-306'],
    remediation: 'Demand a credential for every request, and answer 401 without one.',
  },
  'authorization-not-discoverable': {
    title: 'A client that is refused is not told how to get in',
    severity: 'info',
    evidenceClass: 'A',
    cwe: [],
    remediation:
      'Answer 401 with WWW-Authenticate: Bearer resource_metadata="…" and serve /.well-known/oauth-protected-resource.',
  },
  'resource-metadata-mismatch': {
    title: 'The metadata of the protected resource does not fit the endpoint',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-346'],
    remediation: 'Name the URL of this endpoint as resource, and authorization servers that are reached over https.',
  },
  'foreign-host-accepted': {
    title: 'A request for another host is answered (DNS rebinding)',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-350', 'CWE-346'],
    remediation:
      'Compare the Host header with the names that the server is meant to be reached by, and answer 403 to others.',
  },
  'foreign-origin-accepted': {
    title: 'A request of a foreign web page is answered',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-346', 'CWE-352'],
    remediation: 'Check the Origin header of every request and answer 403 to those that are not allowed.',
  },
  'cors-any-origin': {
    title: 'Every web page may read the answers',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-942'],
    remediation: 'Name the origins that may read answers, or send no CORS headers at all.',
  },
  'weak-session-id': {
    title: 'Session ids can be guessed',
    severity: 'high',
    evidenceClass: 'B',
    cwe: ['CWE-330', 'CWE-340'],
    remediation: 'Make session ids of at least 128 bits from a secure source of random numbers.',
  },
  'unknown-session-accepted': {
    title: 'A session id that was never given out is accepted',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-384', 'CWE-613'],
    remediation: 'Answer 404 to a session id that is not known.',
  },
  'session-not-required': {
    title: 'Requests without a session id are answered although sessions are given out',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-841'],
    remediation: 'Answer 400 to a request without a session id, initialize aside.',
  },
  'session-survives-delete': {
    title: 'A session that was ended still works',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-613'],
    remediation: 'Forget a session at its DELETE and answer 404 afterwards; answer 405 where sessions cannot be ended.',
  },
  'session-fixation': {
    title: 'A session takes the id that the caller chose',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-384'],
    remediation: 'Ignore a session id that comes with initialize, and always give out a new one.',
  },
  'session-as-authentication': {
    title: 'A session id is enough to get in, without the credential',
    severity: 'high',
    evidenceClass: 'A',
    cwe: ['CWE-287', 'CWE-306'],
    remediation: 'Check the credential of every request, whatever session it names.',
  },
  'protocol-version-unchecked': {
    title: 'A protocol version that does not exist is accepted',
    severity: 'info',
    evidenceClass: 'A',
    cwe: ['CWE-20'],
    remediation: 'Answer 400 to a MCP-Protocol-Version header that is not supported.',
  },
  'stream-without-session': {
    title: 'A stream of events is opened without a session',
    severity: 'low',
    evidenceClass: 'A',
    cwe: ['CWE-306', 'CWE-770'],
    remediation: 'Open a stream only for a session that is known; answer 400 or 404 otherwise.',
  },
  'batch-accepted': {
    title: 'Batches are answered although the protocol version has none',
    severity: 'info',
    evidenceClass: 'A',
    cwe: ['CWE-770'],
    remediation: 'Refuse arrays of messages since version 2025-06-18.',
  },
  'oversized-id': {
    title: 'A request id of any length is taken and sent back',
    severity: 'info',
    evidenceClass: 'A',
    cwe: ['CWE-770'],
    remediation: 'Limit the length of request ids and of whole messages.',
  },
  'stack-trace': {
    title: 'Errors carry traces of the server',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-209'],
    remediation: 'Answer broken requests with the error codes of JSON-RPC and keep the cause in the log of the server.',
  },
  'plain-http': {
    title: 'The endpoint is reached over the network without TLS',
    severity: 'medium',
    evidenceClass: 'A',
    cwe: ['CWE-319'],
    remediation: 'Serve the endpoint over https, or bind it to a loopback address.',
  },
  'legacy-sse': {
    title: 'The endpoint speaks the older transport of HTTP with SSE',
    severity: 'info',
    evidenceClass: 'A',
    cwe: [],
    remediation: 'Move to streamable HTTP: the older form is deprecated, and names the session in the URL.',
  },
} as const satisfies RuleTable<string>;

export type McpRule = keyof typeof mcpRules;
