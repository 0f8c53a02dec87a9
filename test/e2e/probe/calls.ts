import type { ScanResult } from '../../../src/instruments/probe/contract.ts';
import { target, targetPorts } from '../../contract/probe/world.ts';
import {
  contractBreaches,
  hiddenEndpoints,
  hiddenParameters,
  markers,
  services,
  weakGraphql,
  weakJwt,
  weakMcp,
  weakToken,
} from '../../samples/probe/weak-api/planted.ts';

/** Each scanner on the weak API, with what has to be found of what is planted there. */

type Found = Readonly<Record<string, unknown>>;

export interface ScanCase {
  readonly tool: ScanResult['tool'];
  /** After `hotcell probe`, the flags that stand for `input`. */
  readonly words: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  /** What says that two scans found the same, one text for each finding. */
  readonly identity: (finding: Found) => string | null;
  readonly expected: readonly string[];
  readonly notes?: readonly string[];
  /** Takes long: by one door alone. */
  readonly once?: boolean;
}

const base = `http://${target.ipv4}`;
const at = (path: string): string => `${base}${path}`;

const claim = ({ kind, rule, at: where }: Found): string | null => (kind === 'finding' ? `${rule} ${where}` : null);
const port = ({ port: number, state, product, version }: Found): string =>
  [number, state, product, version].filter((part) => part !== null).join(' ');
const path = ({ url, status }: Found): string => `${status} ${url}`;
const parameters = ({ url, params, method }: Found): string =>
  `${method} ${url} ${[params].flat().map(String).toSorted().join(' ')}`;
const template = ({ template_id: id, matched_at: where }: Found): string => `${id} ${where}`;

const rules = (where: string, ...names: readonly string[]): readonly string[] =>
  names.map((name) => `${name} ${where}`);
const hidden = (where: string, method: string): string =>
  `${method} ${at(where)} ${hiddenParameters
    .filter((each) => each.path === where)
    .map(({ name }) => name)
    .toSorted()
    .join(' ')}`;

const knocked = `${targetPorts.http}-${targetPorts.silent},${targetPorts.tls},${targetPorts.banner}`;
const served = `${targetPorts.http},${targetPorts.banner}`;
const product = ({ product: name, version }: { readonly product: string; readonly version: string }): string =>
  `${name} ${version}`;

export const scanCases: readonly ScanCase[] = [
  {
    tool: 'nmap_scan',
    words: ['nmap', target.ipv4, '--ports', knocked],
    input: { target: target.ipv4, ports: knocked },
    identity: port,
    expected: [targetPorts.http, targetPorts.tls, targetPorts.banner].map((number) => `${number} open`),
    notes: ['1 port closed', '1 port filtered'],
  },
  {
    tool: 'nmap_scan',
    words: ['nmap', target.ipv4, '--ports', served, '--scan-type', 'service'],
    input: { target: target.ipv4, ports: served, scan_type: 'service' },
    identity: port,
    expected: [
      `${targetPorts.http} open ${product(services.http)}`,
      `${targetPorts.banner} open ${product(services.banner)}`,
    ],
    once: true,
  },
  {
    tool: 'ffuf_discover',
    words: ['ffuf', at('/FUZZ')],
    input: { url: at('/FUZZ') },
    identity: path,
    expected: hiddenEndpoints.filter((each) => !each.path.slice(1).includes('/')).map((each) => `200 ${at(each.path)}`),
  },
  {
    tool: 'ffuf_discover',
    words: ['ffuf', at('/internal/FUZZ'), '--word-list', 'api'],
    input: { url: at('/internal/FUZZ'), word_list: 'api' },
    identity: path,
    expected: [`200 ${at('/internal/debug')}`],
    once: true,
  },
  {
    tool: 'arjun_params',
    words: ['arjun', at('/api/v1/search')],
    input: { url: at('/api/v1/search') },
    identity: parameters,
    expected: [hidden('/api/v1/search', 'GET')],
  },
  {
    tool: 'arjun_params',
    words: ['arjun', at('/api/v1/filter'), '--method', 'POST'],
    input: { url: at('/api/v1/filter'), method: 'POST' },
    identity: parameters,
    expected: [hidden('/api/v1/filter', 'POST')],
    once: true,
  },
  {
    tool: 'nuclei_scan',
    words: ['nuclei', at('/'), '--preset', 'exposures'],
    input: { url: at('/'), preset: 'exposures' },
    identity: template,
    expected: [`planted-admin ${at('/admin')}`, `planted-environment ${at('/.env')}`],
  },
  {
    tool: 'http_probe',
    words: ['http', at('/')],
    input: { url: at('/') },
    identity: claim,
    expected: [
      ...rules(
        at('/'),
        ...['http/no-nosniff', 'http/no-csp', 'http/no-frame-protection', 'http/no-referrer-policy', 'http/no-https'],
        ...['http/version-disclosure', 'http/cookie-not-http-only', 'http/cookie-no-same-site', 'http/cors-any-origin'],
        'http/trace-enabled',
      ),
      ...rules(at('/redirect'), 'http/open-redirect'),
    ],
  },
  {
    tool: 'openapi_audit',
    words: ['openapi', at('/'), '--writes'],
    input: { url: at('/'), writes: true },
    identity: (finding) => claim(finding)?.split('?', 1)[0] ?? null,
    expected: [
      ...contractBreaches.authMissing.map((each) => `openapi/authentication-missing ${at(each.path)}`),
      ...contractBreaches.excessFields.map((each) => `openapi/excess-data ${at(each.path)}`),
      ...contractBreaches.typesNotEnforced.map((each) => `openapi/input-not-enforced ${at(each.path)}`),
      ...['/admin', '/internal/debug', '/.env', '/backup.zip'].map(
        (each) => `openapi/undocumented-endpoint ${at(each)}`,
      ),
      // What would delete is sent to an item that is not there.
      ...['unhandled-input', 'undocumented-method'].map(
        (rule) => `openapi/${rule} ${at('/api/v1/items/hotcell-none')}`,
      ),
    ],
  },
  {
    tool: 'tls_audit',
    words: ['tls', target.ipv4, '--port', String(targetPorts.tls)],
    input: { target: target.ipv4, port: targetPorts.tls },
    identity: claim,
    expected: rules(
      `${target.ipv4}:${targetPorts.tls}`,
      ...['tls/version-1-0', 'tls/version-1-1', 'tls/no-forward-secrecy', 'tls/certificate-expired'],
      ...['tls/certificate-self-signed', 'tls/certificate-weak-key', 'tls/certificate-weak-signature'],
    ),
  },
  {
    tool: 'graphql_audit',
    words: ['graphql', at(weakGraphql.path)],
    input: { url: at(weakGraphql.path) },
    identity: claim,
    expected: rules(
      at(weakGraphql.path),
      ...['graphql/introspection', 'graphql/no-depth-limit', 'graphql/array-batching', 'graphql/get-queries'],
      'graphql/simple-content-type',
    ),
  },
  {
    tool: 'jwt_audit',
    words: ['jwt', at(weakJwt.path), '--token', weakToken()],
    input: { url: at(weakJwt.path), token: weakToken() },
    identity: claim,
    expected: rules(at(weakJwt.path), 'jwt/weak-secret', 'jwt/none-accepted', 'jwt/expired-accepted'),
  },
  {
    tool: 'mcp_probe',
    words: ['mcp', at(weakMcp.path)],
    input: { url: at(weakMcp.path) },
    identity: claim,
    expected: rules(
      at(weakMcp.path),
      ...['mcp/tools-without-authentication', 'mcp/foreign-origin-accepted', 'mcp/weak-session-id'],
      'mcp/unknown-session-accepted',
    ),
  },
];

function templateOf(id: string, severity: string, where: string, word: string): string {
  return `id: ${id}
info:
  name: Planted for tests
  author: hotcell
  severity: ${severity}
  tags: exposure,api
http:
  - method: GET
    path:
      - "{{BaseURL}}${where}"
    matchers:
      - type: word
        words:
          - ${word}
`;
}

/** Templates for nuclei: two that match, and one that does not. */
export const templates = {
  'admin.yaml': templateOf('planted-admin', 'high', '/admin', markers.admin),
  'environment.yaml': templateOf('planted-environment', 'medium', '/.env', markers.environment),
  'nowhere.yaml': templateOf('planted-nowhere', 'high', '/nowhere', markers.admin),
};
