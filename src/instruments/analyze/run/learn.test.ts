import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../../base/analysis-schema.ts';
import { policySchema } from '../../../base/policy-schema.ts';
import { numbered, opened, requested } from '../../../evidence/detectors/sample-events.ts';
import { learnFrom } from './learn.ts';
import { sampleDetonated, writeEvents } from './sample-detonated.ts';

const root = mkdtempSync(join(tmpdir(), 'hotcell-learn-'));
afterAll(() => rmSync(root, { recursive: true }));

const [decoy] = sampleDetonated().home?.files ?? [];
const folder = writeEvents(
  join(root, 'run'),
  numbered([
    opened('/opt/target/data.json'),
    opened(`/home/sam/${decoy?.path}`),
    requested('api.example'),
    requested('thief.example'),
    requested('a.probe.example'),
  ]),
);

function host(name: string, leaks: number): Analysis['hosts'][number] {
  return {
    host: { text: name },
    ports: [443],
    protocols: ['https'],
    requests: 1,
    phases: ['use'],
    firstMs: 0,
    isDeclared: false,
    leaks,
    events: [],
  };
}

const learn = (hosts: Analysis['hosts'], more = {}) =>
  learnFrom(sampleDetonated(more), folder, 'sample', ['probe.example'], hosts);

describe('what was learnt', () => {
  it('is a policy with the hosts that it needs, without those that we named', async () => {
    const { policy, refused } = await learn([host('api.example', 0)]);
    expect(() => policySchema.parse(policy)).not.toThrow();
    const hosts = policy?.network.rules.map((rule) => rule.host);
    expect(hosts).toContain('api.example');
    expect(hosts).not.toContain('a.probe.example');
    expect(refused.map(({ what }) => what)).toContain('reaching hosts that a caller names');
    expect(JSON.stringify(policy?.files)).not.toContain(decoy?.path);
  });

  it('refuses hosts that a secret went to, and says why', async () => {
    const { policy, refused } = await learn([host('thief.example', 1), host('api.example', 0)]);
    expect(policy?.network.rules.map((rule) => rule.host)).not.toContain('thief.example');
    expect(refused).toContainEqual(
      expect.objectContaining({ what: 'connecting to thief.example:443', why: 'a planted secret went there' }),
    );
  });

  it('is no network where no host is left', async () => {
    const { policy } = await learn([host('thief.example', 1), host('api.example', 2)]);
    expect(policy?.network).toEqual({ mode: 'none', rules: [] });
  });

  it('is nothing of a server that never ran', async () => {
    const { start } = sampleDetonated();
    expect(await learn([], { start: { ...start, isStarted: false } })).toEqual({ policy: null, refused: [] });
  });
});
