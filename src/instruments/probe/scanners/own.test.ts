import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { auditors } from '../auditors/index.ts';
import { parseAuditInput } from '../auditors/read-input.ts';
import type { Aim, AimMeans, CommandMeans, ScannerDefinition } from '../contract.ts';
import { httpProbe } from './http-probe.ts';
import { jwtAudit } from './jwt-audit.ts';
import { tlsAudit } from './tls-audit.ts';

const limits = { urls: ['http://192.0.2.7:8080/v1'], methods: ['GET'] };

/** Stands for the argument layer, which has tests of its own. */
const aimMeans: AimMeans = {
  target: (host) => ({ host, addresses: [host] }),
  ports: (text) => [{ from: Number(text), to: Number(text) }],
  portsWithin: () => [],
  url: (url) => ({ label: url, host: '192.0.2.7', addresses: ['192.0.2.7'], ports: [{ from: 8080, to: 8080 }], url }),
  method: (text) => text,
  limits,
};

const commandMeans = (aim: Aim): CommandMeans => ({
  aim,
  pace: { requestsPerSecond: 10, connectionsPerSecond: 10, connections: 2 },
  paths: { work: '/work', auditors: ['/bin/node', '/opt/main.js'] },
  limits,
  credential: { name: 'user', header: 'authorization', value: 'Bearer x.y.z' },
});

function build(scanner: ScannerDefinition, input: z.input<z.ZodObject>) {
  const given = scanner.input.parse(input);
  const aim = scanner.aim(given, aimMeans);
  const command = scanner.build(given, commandMeans(aim));
  const [file] = command.files;
  return { aim, command, input: parseAuditInput(Buffer.from(file?.content ?? []).toString('utf8')) };
}

const url = 'http://192.0.2.7:8080/v1/me';

describe('the scanners with an auditor', () => {
  it.each([
    [httpProbe, { url }],
    [jwtAudit, { url, credential: 'user' }],
    [tlsAudit, { target: '192.0.2.7', port: 8443 }],
  ] as const)('start it with an input that it understands, and keep secrets out of the command', (scanner, given) => {
    const { command, input } = build(scanner, given);
    expect(command.argv).toEqual(['/bin/node', '/opt/main.js', scanner.command, 'input.json']);
    expect(auditors.map(({ name }) => name)).toContain(scanner.command);
    expect(input).toMatchObject({ limits, host: '192.0.2.7', credential: { value: 'Bearer x.y.z' } });
    expect(input.arguments).not.toHaveProperty('credential');
    expect(scanner.examples.map((example) => scanner.input.safeParse(example.input).success)).not.toContain(false);
  });

  it('aims at a port, 443 unless told otherwise, also of an IPv6 address', () => {
    expect(build(tlsAudit, { target: '2001:db8::1' })).toMatchObject({
      aim: { label: '[2001:db8::1]:443', ports: [{ from: 443, to: 443 }] },
      input: { url: 'https://[2001:db8::1]:443/', host: '2001:db8::1' },
    });
  });

  it.each([
    [httpProbe, { url: 'ftp://192.0.2.7/' }],
    [httpProbe, { url: 'http://192.0.2.7/ x' }],
    [httpProbe, { url, flags: '-x' }],
    [httpProbe, { url, credential: '../x' }],
    [tlsAudit, { target: 'a b' }],
    [tlsAudit, { target: '192.0.2.7', port: 65_536 }],
    [tlsAudit, { target: '192.0.2.7', port: 1.5 }],
    [jwtAudit, { url, token: 'no token' }],
    [jwtAudit, { url, token: `${'a'.repeat(4000)}.${'b'.repeat(4000)}.${'c'.repeat(400)}` }],
  ])('refuse arguments beyond their schema (%#)', (scanner, given) => {
    expect(scanner.input.safeParse(given).success).toBe(false);
  });

  it.each([{ url }, { url, token: 'e30.e30.', credential: 'user' }])('want one token (%#)', (given) => {
    expect(() => build(jwtAudit, given)).toThrow(UsageError);
  });
});
