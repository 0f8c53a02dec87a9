import { makeToken } from './jwt.ts';

/**
 * What is planted in the weak API, as data that tests compare with. Paths are relative to where it listens.
 * The sound twin (`sound: true`) has the same documented API and none of this.
 */

/** Marker texts: harmless, and found nowhere else. */
export const markers = {
  admin: 'hotcell-planted-admin-page',
  debug: 'hotcell-planted-debug-dump',
  environment: 'hotcell-planted-environment',
  backup: 'hotcell-planted-backup',
  parameterDebug: 'hotcell-planted-parameter-debug',
  parameterTemplate: 'hotcell-planted-parameter-template',
  parameterCallback: 'hotcell-planted-parameter-callback',
  parameterAdmin: 'hotcell-planted-parameter-admin',
  caught: 'hotcell-planted-out-of-scope',
  toolResult: 'hotcell-planted-tool-result',
} as const;

/** For ffuf and openapi_audit: served and not documented. */
export const hiddenEndpoints = [
  { path: '/admin', status: 200, contains: markers.admin },
  { path: '/internal/debug', status: 200, contains: markers.debug },
  { path: '/.env', status: 200, contains: markers.environment },
  { path: '/backup.zip', status: 200, contains: markers.backup },
  { path: '/robots.txt', status: 200, contains: '/internal/' },
] as const;

/** For arjun: not documented, and each changes the answer. */
export const hiddenParameters = [
  { path: '/api/v1/search', method: 'GET', name: 'debug', contains: markers.parameterDebug },
  { path: '/api/v1/search', method: 'GET', name: 'template_id', contains: markers.parameterTemplate },
  { path: '/api/v1/filter', method: 'POST', name: 'callback', contains: markers.parameterCallback },
  { path: '/api/v1/filter', method: 'POST', name: 'is_admin', contains: markers.parameterAdmin },
] as const;

/** For openapi_audit. */
export const contractBreaches = {
  document: '/openapi.json',
  /** Another document, valid, whose servers and references lead to the out-of-scope address. */
  documentElsewhere: '/openapi-elsewhere.json',
  /** Documented as needing a bearer token, answered without. */
  authMissing: [
    { method: 'GET', path: '/api/v1/users' },
    { method: 'GET', path: '/api/v1/users/1' },
    { method: 'POST', path: '/api/v1/items' },
  ],
  /** Documented with GET alone, answers 200 to this. */
  undocumentedMethods: [{ method: 'DELETE', path: '/api/v1/items/1' }],
  /** Fields of an answer whose schema has no such field. */
  excessFields: [{ path: '/api/v1/users', fields: ['password_hash', 'is_admin'] }],
  /** Documented types that a wrong value passes. */
  typesNotEnforced: [
    { method: 'GET', path: '/api/v1/items', parameter: 'limit', type: 'integer', wrong: 'not-a-number', status: 200 },
    { method: 'POST', path: '/api/v1/items', parameter: 'quantity', type: 'integer', wrong: 'many', status: 201 },
  ],
  /** A value that the type forbids brings a stack trace. */
  serverErrors: [{ method: 'GET', path: "/api/v1/items/'", status: 500, contains: 'at readItem' }],
} as const;

/** For http_probe. */
export const weakHeaders = {
  server: 'Apache/2.4.49 (Unix)',
  poweredBy: 'PHP/5.6.40',
  cookie: { name: 'session', missing: ['Secure', 'HttpOnly', 'SameSite'] },
  missing: [
    'x-content-type-options',
    'content-security-policy',
    'strict-transport-security',
    'x-frame-options',
    'referrer-policy',
  ],
  reflectsOriginWithCredentials: true,
  trace: true,
} as const;

/** For tls_audit. */
export const weakTls = {
  subject: 'weak.example',
  isSelfSigned: true,
  isExpired: true,
  keyBits: 1024,
  signature: 'sha1',
  protocols: ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'],
  /** Without forward secrecy. */
  cipher: 'AES128-SHA',
} as const;

/** For graphql_audit. */
export const weakGraphql = {
  path: '/graphql',
  hasIntrospection: true,
  hasBatching: true,
  hasGetQueries: true,
  hasSuggestions: true,
  hasFormQueries: true,
  /** Query that can be nested as deep as one likes: users { posts { author { posts … } } } */
  cycle: { root: 'users', first: 'posts', second: 'author', leaf: 'id' },
  types: ['Query', 'Mutation', 'User', 'Post'],
  misspelt: { query: '{ usrs { id } }', suggests: 'users' },
} as const;

/** For jwt_audit. */
export const weakJwt = {
  path: '/api/v1/me',
  tokenPath: '/api/v1/token',
  secret: 'secret',
  acceptsNone: true,
  acceptsExpired: true,
} as const;

/** A token as the weak API gives it, for those that need one beforehand. */
export function weakToken(): string {
  return makeToken({ claims: { sub: '1', name: 'ada', role: 'user', exp: 4_102_444_800 }, secret: weakJwt.secret });
}

/** For mcp_probe. */
export const weakMcp = {
  path: '/mcp',
  tools: ['run_query', 'read_file'],
  isOpen: true,
  checksHost: false,
  checksOrigin: false,
  /** `session-1`, `session-2`, …; any other id is accepted as well. */
  sessionPattern: /^session-\d+$/,
} as const;

/** What leads a scanner out of the scope: every one names the address given as `elsewhere`. */
export const leads = {
  openRedirect: { path: '/redirect', parameter: 'to' },
  /** By status and Location. */
  redirects: [
    { path: '/go', status: 302 },
    { path: '/go/permanent', status: 308 },
  ],
  /** Mention it without redirecting: header names in lower case. */
  mentions: [
    { method: 'GET', path: '/linked', status: 200, headers: ['link', 'refresh', 'content-location', 'alt-svc'] },
    { method: 'GET', path: '/moved.html', status: 200, headers: [] },
    { method: 'POST', path: '/api/v1/webhooks', status: 201, headers: ['location'] },
  ],
  /** Redirects to itself. */
  loop: '/loop',
} as const;

/** Answers that try patience. */
export const trying = {
  slow: { path: '/slow', parameter: 'seconds' },
  flood: '/flood',
  trickle: '/trickle',
} as const;

/** Text for whoever shows it: escape sequences and sentences that give orders. */
export const hostileText = { path: '/notice', contains: 'hotcell-planted-instruction' } as const;

/** For nmap: what `-sV` says of the ports. */
export const services = {
  http: { service: 'http', product: 'Apache httpd', version: '2.4.49' },
  banner: { service: 'ftp', product: 'vsftpd', version: '2.3.4', text: '220 (vsFTPd 2.3.4)\r\n' },
} as const;

/** The account of the sound twin, whose tokens last five minutes. */
export const soundAccount = { username: 'ada', password: 'correct horse battery staple' } as const;
