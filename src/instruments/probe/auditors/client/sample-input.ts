import type { AuditInput } from '../contract.ts';

/** For tests: what an auditor is given for a server on loopback. */
export function sampleInput(url: string, more: Partial<AuditInput> = {}): AuditInput {
  const { hostname, port, protocol } = new URL(url);
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return {
    arguments: {},
    url,
    host: hostname,
    addresses: ['127.0.0.1'],
    ports: [{ from: number, to: number }],
    limits: { urls: [], methods: [] },
    pace: { requestsPerSecond: 100_000, connections: 4 },
    credential: null,
    ...more,
  };
}
