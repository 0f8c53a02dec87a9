import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readPolicy } from '../../src/engine/policy/index.ts';
import { folderOf, preparedFolder } from '../samples/servers/sample-servers.ts';
import { openClient } from './mcp/clients.ts';

/** An agent that has the tools and nothing else: it analyses a server, reads the proof, and fetches the policy. */

const home = mkdtempSync(join(tmpdir(), 'hotcell-agent-'));
const target = folderOf({ id: 'shell-injection', language: 'javascript' });
let client: Client;

beforeAll(async () => {
  client = await openClient('auto', { environment: { HOTCELL_HOME: home } });
});

afterAll(async () => {
  await client.close();
  rmSync(home, { recursive: true, force: true });
  rmSync(preparedFolder, { recursive: true, force: true });
});

async function call<Output>(name: string, input: Record<string, unknown>, output: z.ZodType<Output>): Promise<Output> {
  const result = await client.callTool({ name, arguments: input });
  expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
  return output.parse(result.structuredContent);
}

const jobSchema = z.object({ id: z.string(), state: z.string() });
const findingSchema = z.object({ id: z.string(), severity: z.string(), evidenceClass: z.string(), rule: z.string() });
const severities = ['critical', 'high', 'medium', 'low', 'info'];

async function analyse(): Promise<string> {
  const input = { target, budget: 'quick', offline: true };
  const { job } = await call('analyze_server', input, z.object({ job: jobSchema }));
  expect(job.state).toBe('running');
  // A client with a short limit asks again and again, and can do other things meanwhile.
  await call('explain_rule', { rule: 'taint/command-injection' }, z.object({ id: z.string() }));
  for (let turn = 0; turn < 60; turn += 1) {
    const told = await call(
      'job_result',
      { job: job.id, wait_seconds: 5 },
      z.object({ job: jobSchema, result: z.object({ run: z.string() }).nullable() }),
    );
    if (told.job.state !== 'running') expect(told.job.state).toBe('done');
    if (told.result !== null) return told.result.run;
  }
  throw new Error('the analysis did not end');
}

describe('an agent', () => {
  it('learns what a server is, sees the proof, and gets a policy for it', { timeout: 240_000 }, async () => {
    const run = await analyse();
    const listed = await call('list_runs', {}, z.object({ runs: z.array(z.object({ run: z.string() })) }));
    expect(listed.runs.map((each) => each.run)).toContain(run);

    const report = await call(
      'get_report',
      { run, section: 'findings' },
      z.object({ entries: z.array(findingSchema.loose()) }),
    );
    const [worst] = report.entries
      .filter(({ evidenceClass }) => evidenceClass === 'A')
      .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
    expect(worst).toBeDefined();

    const found = await client.callTool({ name: 'get_finding', arguments: { run, finding: worst?.id } });
    const { proof, can_replay } = z
      .object({ proof: z.record(z.string(), z.unknown()), can_replay: z.boolean() })
      .parse(found.structuredContent);
    expect(proof).toHaveProperty('steps');
    expect(can_replay).toBe(true);
    expect(JSON.stringify(found.content)).toContain('Untrusted data from');

    const policy = await call('get_policy', { run }, z.object({ text: z.string() }));
    const file = join(home, 'policy.json');
    writeFileSync(file, policy.text);
    expect(readPolicy(file).policy.version).toBe(1);

    const { resources } = await client.listResources();
    const own = resources.filter(({ uri }) => uri.includes(run));
    expect(own.length).toBeGreaterThan(0);
    const read = await client.readResource({ uri: own[0]?.uri ?? '' });
    expect(JSON.stringify(read.contents)).toContain('shell-injection');
  });
});
