import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { findingSchema } from '../../../base/finding-schema.ts';
import { againOf } from '../again.ts';
import { aimMeans } from '../arguments/means.ts';
import { graphqlServer } from '../auditors/graphql/sample-server.ts';
import { auditors } from '../auditors/index.ts';
import { type Handler, serve } from '../auditors/inquiry/sample-audit.ts';
import { mcpServer } from '../auditors/mcp/sample-server.ts';
import { sampleApi, sampleToken } from '../auditors/openapi/sample-api.ts';
import { runAudit } from '../auditors/run.ts';
import type { ScannerDefinition } from '../contract.ts';
import { makeScope } from '../scope/load.ts';
import { graphqlAudit } from './graphql-audit.ts';
import { mcpProbe } from './mcp-probe.ts';
import { openapiAudit } from './openapi-audit.ts';

const scope = {
  targets: ['127.0.0.1'],
  authorization: { by: 'the tests', reference: 'this file' },
};
const means = aimMeans(
  await makeScope(JSON.stringify(scope), 'scope.json', { environment: {}, resolve: async () => [], now: 0 }),
);

/** From arguments to findings, by the way that a scan takes; only the box around it is missing. */
async function scan(scanner: ScannerDefinition, given: z.input<z.ZodObject>) {
  const input = scanner.input.parse(given);
  const aim = scanner.aim(input, means);
  const command = scanner.build(input, {
    aim,
    pace: { requestsPerSecond: 10_000, connectionsPerSecond: 10_000, connections: 4 },
    paths: { work: '/work', auditors: ['node', 'main.js'] },
    limits: means.limits,
    credential: { name: 'own', header: 'authorization', value: sampleToken },
  });
  const lines: string[] = [];
  const text = Buffer.from(command.files[0]?.content ?? []).toString('utf8');
  const exitCode = await runAudit(auditors, command.argv[2] ?? '', text, (line) => void lines.push(line));
  const stdout = Buffer.from(`${lines.join('\n')}\n`);
  const output = { stdout, stderr: Buffer.alloc(0), outputFile: null, exitCode, isWhole: true };
  const parsed = await scanner.parse(output, aim);
  return {
    exitCode,
    parsed,
    findings: scanner.judge(parsed.findings, aim, againOf(scanner, {})),
    stdout: stdout.toString('utf8'),
  };
}

const scans: readonly { scanner: ScannerDefinition; path: string; handler: Handler; rule: string }[] = [
  {
    scanner: openapiAudit,
    path: '/v2',
    handler: sampleApi({ neighbour: '/debug' }),
    rule: 'openapi/undocumented-endpoint',
  },
  {
    scanner: graphqlAudit,
    path: '/graphql',
    handler: graphqlServer({ batching: true }),
    rule: 'graphql/array-batching',
  },
  { scanner: mcpProbe, path: '/mcp', handler: mcpServer({ anyHost: true }), rule: 'mcp/foreign-host-accepted' },
];

describe('a scan', () => {
  it.each(scans)(
    '$scanner.name finds $rule and keeps the credential to itself',
    async ({ scanner, path, handler, rule }) => {
      const server = await serve(handler);
      try {
        const { exitCode, parsed, findings, stdout } = await scan(scanner, { url: `${server.url}${path}` });
        expect(exitCode).toBe(0);
        expect(parsed.notes.filter((note) => note.includes('could not be read'))).toEqual([]);
        expect(findings.map((finding) => finding.rule)).toEqual([rule]);
        for (const finding of findings) expect(findingSchema.safeParse(finding).error).toBeUndefined();
        expect(stdout).not.toContain('sesame');
      } finally {
        await server.close();
      }
    },
  );

  it.each([
    { url: 'http://127.0.0.1:80/', document_url: 'http://127.0.0.1:81/openapi.json' },
    { url: 'http://127.0.0.1:80/', document_url: 'http://127.0.0.2:80/openapi.json' },
    { url: 'http://127.0.0.1:80/', document_url: 'http://127.0.0.1:80/a', document: '{}' },
    { url: 'http://127.0.0.9/' },
  ])('is not aimed elsewhere: %j', (given) => {
    expect(() => openapiAudit.aim(openapiAudit.input.parse(given), means)).toThrow(UsageError);
  });

  it.each([
    { url: 'http://127.0.0.1/', document: 'x'.repeat(524_289) },
    { url: 'http://127.0.0.1/', writes: 'yes' },
    { url: 'http://127.0.0.1/', query: '{users}' },
    { url: 'javascript:alert(1)' },
  ])('refuses what its arguments do not have (%#)', (given) => {
    expect([openapiAudit, graphqlAudit, mcpProbe].map(({ input }) => input.safeParse(given).success)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([openapiAudit, graphqlAudit, mcpProbe])('$name has examples that it takes', ({ examples, input }) => {
    expect(examples.map((example) => input.safeParse(example.input).success)).not.toContain(false);
  });
});
