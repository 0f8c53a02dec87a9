import { z } from 'zod';
import { minuteMs } from '../../../base/limits.ts';
import { defineScanner } from '../contract.ts';
import { buildOwn, ownScanner } from './own.ts';

export const tlsAudit = defineScanner({
  ...ownScanner,
  name: 'tls_audit',
  command: 'tls',
  title: 'Audit TLS',
  description:
    'Which versions of TLS and cipher suites a port agrees to, and what is wrong with its certificate: expired, for another host, signed by itself, weak key or signature.',
  positional: 'target',
  timeoutMs: 5 * minuteMs,
  input: z.strictObject({
    target: z
      .string()
      .max(253)
      .regex(/^[0-9A-Za-z.:_-]{1,253}$/)
      .describe('address or name of the scope'),
    port: z.int().min(1).max(65_535).default(443).describe('port that speaks TLS'),
  }),
  examples: [{ input: { target: '192.0.2.7', port: 8443 }, says: 'what a service on port 8443 agrees to' }],
  aim(input, means) {
    const ports = means.ports(String(input.port));
    const { host, addresses } = means.target(input.target);
    return { label: `${host.includes(':') ? `[${host}]` : host}:${input.port}`, host, addresses, ports };
  },
  build: (input, means) => buildOwn('tls', input, means),
});
