import type { Json } from '../../contract.ts';
import { type Draft, excerpt } from '../draft.ts';
import { assemble, type Conversation } from './conversations.ts';
import { addCredentials, basicCredentials } from './credentials.ts';
import { type HttpMessage, readHttp, readRequestLine } from './http.ts';
import { rules } from './rules.ts';
import { ja3, ja3s, ja4, readHandshake } from './tls.ts';

/** What the protocols above TCP say. */
export interface Talks {
  readonly http: Json[];
  readonly tls: Json[];
  readonly mail: string[];
  readonly addresses: string[];
}

const webPorts = new Set([80, 3128, 8000, 8008, 8080, 8081, 8888]);
const tlsPorts = new Set([443, 465, 563, 636, 853, 989, 990, 992, 993, 995, 8443, 9443]);
const most = 500;
const programs = /^(?:MZ|\x7fELF|PK\x03\x04|Rar!|7z\xbc\xaf|\xca\xfe\xba\xbe|dex\n|MSCF|\xd0\xcf\x11\xe0|#!)/;

function fileName(path: string, fallback: string): string {
  const last = path.split(/[?#]/)[0]?.split('/').pop() ?? '';
  return last === '' ? fallback : last;
}

function addHttp(
  draft: Draft,
  talk: Conversation,
  talks: Talks,
  sent: Uint8Array,
  answered: Uint8Array,
  tick: () => void,
): boolean {
  const requests = readHttp(sent, 'request', () => false, tick);
  if (requests.length === 0 && !/^HTTP\/1\.[01] \d/.test(Buffer.from(answered.subarray(0, 16)).toString('latin1')))
    return false;
  const heads = requests.map(({ line }) => line.startsWith('HEAD '));
  const responses = readHttp(answered, 'response', (index) => heads[index] ?? false, tick);
  const where = `${talk.server}:${talk.serverPort}`;
  if (!webPorts.has(talk.serverPort)) draft.finding(rules.unusualPort, where, 'HTTP');
  for (let index = 0; index < Math.max(requests.length, responses.length) && talks.http.length < most; index += 1) {
    addExchange(draft, talk, talks, requests[index], responses[index]);
  }
  return true;
}

function addExchange(
  draft: Draft,
  talk: Conversation,
  talks: Talks,
  request: HttpMessage | undefined,
  response: HttpMessage | undefined,
): void {
  const { method = '', path = '' } = request === undefined ? {} : (readRequestLine(request.line) ?? {});
  const host = request?.headers.get('host') ?? '';
  const url = `http://${host || `${talk.server}:${talk.serverPort}`}${path.startsWith('/') ? '' : '/'}${path}`;
  if (request !== undefined) talks.addresses.push(url);
  if (/^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/.test(host)) draft.finding(rules.addressHost, 'host', url);
  const login = basicCredentials(request?.headers.get('authorization'));
  if (login !== undefined) draft.finding(rules.credentials, `HTTP basic, ${excerpt(host, 100)}`, login);
  talks.http.push({
    method,
    host: excerpt(host, 200),
    path: excerpt(path, 300),
    user_agent: excerpt(request?.headers.get('user-agent') ?? '', 300),
    request_body: request?.body.length ?? 0,
    status: response === undefined ? 0 : Number(response.line.slice(9, 12)),
    content_type: excerpt(response?.headers.get('content-type') ?? '', 100),
    server: excerpt(response?.headers.get('server') ?? '', 100),
    body: response?.body.length ?? 0,
    body_cut: response?.cut ?? false,
    from: talk.client,
    to: `${talk.server}:${talk.serverPort}`,
  });
  const agent = request?.headers.get('user-agent');
  if (agent !== undefined) talks.addresses.push(`User-Agent: ${agent}`);
  if (request !== undefined && request.body.length > 0)
    draft.child(fileName(path, 'request'), request.body, `body of a request to ${excerpt(host, 100)}`);
  if (response === undefined || response.body.length === 0) return;
  draft.child(fileName(path, 'response'), response.body, `body of an answer of ${excerpt(host || talk.server, 100)}`);
  const head = Buffer.from(response.body.subarray(0, 8)).toString('latin1');
  if (programs.test(head))
    draft.finding(
      rules.program,
      `answer of ${excerpt(host || talk.server, 100)}`,
      `${url} begins with ${JSON.stringify(head)}`,
    );
}

function addTls(draft: Draft, talk: Conversation, talks: Talks, sent: Uint8Array, answered: Uint8Array): boolean {
  const handshake = readHandshake(sent, answered);
  if (handshake === undefined || talks.tls.length >= most) return handshake !== undefined;
  const { client, server, certificates } = handshake;
  const where = `${talk.server}:${talk.serverPort}`;
  if (!tlsPorts.has(talk.serverPort)) draft.finding(rules.unusualPort, where, 'TLS');
  if (client?.serverName !== undefined) talks.addresses.push(client.serverName);
  const text = (list: readonly string[]): Json => list.slice(0, 10).map((one) => excerpt(one, 100));
  talks.tls.push({
    from: talk.client,
    to: where,
    ...(client === undefined
      ? {}
      : {
          ...(client.serverName === undefined ? {} : { server_name: excerpt(client.serverName, 255) }),
          alpn: text(client.alpn),
          version: `0x${client.version.toString(16).padStart(4, '0')}`,
          supported_versions: client.supportedVersions
            .slice(0, 10)
            .map((version) => `0x${version.toString(16).padStart(4, '0')}`),
          ja3: ja3(client).hash,
          ja3_text: excerpt(ja3(client).text, 1000),
          ja4: ja4(client),
        }),
    ...(server === undefined
      ? {}
      : {
          chosen_version: `0x${server.chosenVersion.toString(16).padStart(4, '0')}`,
          cipher: `0x${server.cipher.toString(16).padStart(4, '0')}`,
          ja3s: ja3s(server).hash,
        }),
    ...(certificates.length === 0
      ? {}
      : {
          certificates: certificates.map((one) => ({
            subject: excerpt(one.subject, 200),
            issuer: excerpt(one.issuer, 200),
            valid_from: one.validFrom,
            valid_to: one.validTo,
            names: excerpt(one.names, 300),
          })),
        }),
  });
  return true;
}

export function readTalks(draft: Draft, conversations: readonly Conversation[], tick: () => void): Talks {
  const talks: Talks = { http: [], tls: [], mail: [], addresses: [] };
  for (const talk of conversations) {
    if (talk.protocol !== 'tcp') continue;
    tick();
    const sent = assemble(talk.fromClient);
    const answered = assemble(talk.fromServer);
    if (sent.bytes.length === 0 && answered.bytes.length === 0) continue;
    if (sent.holes || answered.holes)
      draft.note('packets of some connections are missing: these were read up to the first hole');
    if (addTls(draft, talk, talks, sent.bytes, answered.bytes)) continue;
    if (addHttp(draft, talk, talks, sent.bytes, answered.bytes, tick)) continue;
    const text = Buffer.from(sent.bytes.subarray(0, 65_536)).toString('latin1');
    for (const line of addCredentials(draft, talk, text)) if (talks.mail.length < most) talks.mail.push(line);
    if (/^[\t\r\n\x20-\x7e]{16,}/.test(text)) draft.text(`${talk.client} to ${talk.server}:${talk.serverPort}`, text);
  }
  return talks;
}
