import type { AddressInfo, Server } from 'node:net';
import type { JsonValue } from '../../contract.ts';
import { PinnedClient } from '../client/index.ts';
import type { AuditFinding, AuditInput, AuditLine } from '../contract.ts';
import { auditTls, type TlsMeans } from './audit-tls.ts';

/** For tests: looks at a server on loopback as if it had another name. */

export interface TlsAudited {
  readonly findings: readonly AuditFinding[];
  readonly rules: readonly string[];
  readonly facts: Readonly<Record<string, JsonValue>>;
  readonly notes: readonly string[];
}

export async function listening(server: Server): Promise<number> {
  server.on('connection', (socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export async function auditPort(port: number, host: string, means: TlsMeans = {}): Promise<TlsAudited> {
  const input: AuditInput = {
    arguments: {},
    url: `https://${host}:${port}/`,
    host,
    addresses: ['127.0.0.1'],
    ports: [{ from: port, to: port }],
    limits: { urls: [], methods: [] },
    pace: { requestsPerSecond: 100_000, connections: 4 },
    credential: null,
  };
  const lines: AuditLine[] = [];
  await auditTls({ input, client: new PinnedClient(input), say: (line) => void lines.push(line) }, means);
  const findings = lines.flatMap((line) => (line.type === 'finding' ? [line.finding] : []));
  return {
    findings,
    rules: findings.map(({ rule }) => rule).toSorted(),
    facts: Object.fromEntries(lines.flatMap((line) => (line.type === 'fact' ? [[line.name, line.value]] : []))),
    notes: lines.flatMap((line) => (line.type === 'note' ? [line.text] : [])),
  };
}
