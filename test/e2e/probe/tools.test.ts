import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { probeToolset } from '../../../src/doors/tools/probe/index.ts';
import { findTool } from '../../../src/engine/host/index.ts';
import { type ScanResult, scannerNames, scanResultSchema } from '../../../src/instruments/probe/contract.ts';
import { target } from '../../contract/probe/world.ts';
import { hostileText, weakToken } from '../../samples/probe/weak-api/planted.ts';
import { type ScanCase, scanCases, templates } from './calls.ts';
import { Place, quickScope, whyNoPlace } from './place.ts';

/** Every scanner on the weak API, by an agent and by a person: each finds what is planted, and nobody else hears of it. */

const reason = await whyNoPlace();
const hasNuclei = (await findTool('nuclei')) !== null;
const cases = scanCases.filter(({ tool }) => hasNuclei || tool !== 'nuclei_scan');
const longestMs = 400_000;

interface LedgerLine {
  readonly action: string;
  readonly policy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const identities = ({ identity }: ScanCase, { findings }: ScanResult): readonly string[] =>
  [...new Set(findings.map(identity).filter((each) => each !== null))].toSorted();

/** So many at a time: each is a box and a gate. */
async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>, atOnce = 4): Promise<void> {
  const left = [...items];
  const go = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, go));
}

describe('the scanners', () => {
  const byAgent = new Map<ScanCase, ScanResult>();
  let place: Place;
  let scope: string;
  let fingerprint: string;
  beforeAll(async () => {
    if (reason !== null) return;
    place = await Place.open(hasNuclei ? { templates } : {});
    scope = place.scope('scope', quickScope);
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(() => place?.close());

  it('find what is planted, over MCP', { timeout: longestMs }, async () => {
    const client = await place.client(['--scope', scope]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...scannerNames]));
    const told = await client.callTool({ name: 'get_scope', arguments: {} });
    ({ fingerprint } = told.structuredContent as { fingerprint: string });
    await inTurn(cases, async (each) => {
      const answer = await client.callTool({ name: each.tool, arguments: each.input }, { timeout: longestMs });
      expect(answer.isError ?? false, `${each.tool}: ${JSON.stringify(answer.content)}`).toBe(false);
      const output = probeToolset.tools.find(({ name }) => name === each.tool)?.output;
      const result = output?.parse(answer.structuredContent) as unknown as ScanResult;
      byAgent.set(each, result);
      // Text of the target stands in a fence, in words and in fields.
      const text = JSON.stringify(answer.content);
      expect(text).toContain(`Untrusted data from ${each.tool} about`);
      expect(result.raw).toMatch(/^Untrusted data from \w+ about /);
      expect(result.raw.length).toBeLessThanOrEqual(40_000);
    });
    expect(new Set([...byAgent.keys()].map(({ tool }) => tool)).size).toBe(hasNuclei ? 10 : 9);
    for (const [each, result] of byAgent) {
      const { tool, status, exit_code: exitCode, command, notes } = result;
      expect({ tool, status, exitCode, notes }, JSON.stringify(command)).toMatchObject({
        ...{ tool: each.tool, status: 'completed', exitCode: 0 },
        notes: expect.arrayContaining([...(each.notes ?? [])]),
      });
      expect(identities(each, result), each.tool).toEqual(expect.arrayContaining([...new Set(each.expected)]));
      expect(result.scope).toEqual({ name: 'scope', fingerprint });
      const { connections } = result.network;
      expect(connections).toBeGreaterThan(0);
      // A machine that is busy may lose packets of those who open hundreds.
      const isComplete = (connections ?? 0) > 100 ? expect.any(Boolean) : true;
      expect(result.network).toMatchObject({ by: 'gate', refused: [], is_complete: isComplete });
      expect(statSync(result.network.capture ?? '').size).toBeGreaterThan(500);
      expect(existsSync(result.raw_file ?? '')).toBe(true);
    }
    expect(await place.world.strays()).toEqual([]);
  });

  it('find the same by command line', { timeout: longestMs }, async () => {
    await inTurn(
      cases.filter(({ once }) => once !== true),
      async (each) => {
        const { code, stdout, stderr } = await place.run(['probe', ...each.words, '--scope', scope, '--json']);
        const result = scanResultSchema.parse(JSON.parse(stdout === '' ? JSON.stringify(stderr) : stdout));
        expect({ code, status: result.status }, stderr).toEqual({ code: expect.any(Number), status: 'completed' });
        expect([0, 1]).toContain(code);
        expect(result.scope.fingerprint).toBe(fingerprint);
        const agent = byAgent.get(each);
        if (agent === undefined) throw new Error(`${each.tool} was not called`);
        expect(identities(each, result), each.tool).toEqual(identities(each, agent));
      },
    );
    expect(await place.world.strays()).toEqual([]);
    expect(place.world.caught()).toEqual([]);
    expect(place.world.questions()).toEqual([]);
  });

  it('stand in the ledger, before and after, with the scope', async () => {
    const { code, stdout } = await place.run(['audit', 'log', '--json', '--limit', '500']);
    expect(code).toBe(0);
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LedgerLine);
    for (const action of ['probe.scan', 'probe.result']) {
      const those = entries.filter((entry) => entry.action === action);
      expect(new Set(those.map(({ details }) => details.tool)).size, action).toBe(hasNuclei ? 10 : 9);
      expect(new Set(those.flatMap(({ policy, details }) => [policy, details.fingerprint]))).toEqual(
        new Set([fingerprint]),
      );
    }
    expect(stdout).not.toContain(weakToken());
    expect((await place.run(['audit', 'verify'])).code).toBe(0);
  });

  it('say to a person what they found', async () => {
    const [{ code, stdout }, hostile] = await Promise.all([
      place.run(['probe', 'nmap', target.ipv4, '--ports', '80', '--scope', scope]),
      place.run(['probe', 'http', `http://${target.ipv4}${hostileText.path}`, '--scope', scope]),
    ]);
    expect(code).toBe(0);
    expect(hostile.stdout).toContain('http_probe');
    // What the target says does not steer the terminal.
    expect(`${hostile.stdout}${hostile.stderr}`).not.toContain('\u001b');
    expect(stdout).toMatch(/nmap_scan 203\.0\.113\.10 {2}completed/);
    expect(stdout).toContain('behind the gate');
    const [, id = ''] = /hotcell probe report (\S+)/.exec(stdout) ?? [];
    const kept = readFileSync(`${place.home}/probe/${id}/scan.json`, 'utf8');
    expect(JSON.parse(kept)).toMatchObject({ format: 'hotcell-scan', result: { tool: 'nmap_scan' } });
  });
});
