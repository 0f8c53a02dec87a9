import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes, HostError } from '../../../base/errors.ts';
import type { ScannerName, ScanResult } from '../contract.ts';
import type { Probe } from '../probe.ts';
import { sampleScan } from '../report/sample-scan.ts';
import { sampleProbe } from '../sample-probe.ts';
import { stepsOf } from './plan.ts';
import { Sequence, type SequenceOptions } from './run-sequence.ts';

const port = { port: 8080, state: 'open' };
const nothingElse = ['ffuf_discover', 'arjun_params', 'openapi_audit', 'graphql_audit', 'mcp_probe', 'nuclei_scan'];

describe('a sequence', () => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await sampleProbe();
  });
  afterAll(() => rm(probe.options.homeFolder, { recursive: true }));

  const run = (missing: readonly string[], scan: SequenceOptions['scan'], signal = new AbortController().signal) => {
    const absent = missing.map((scanner) => ({ scanner: scanner as ScannerName, because: '' }));
    const plan = { hosts: ['127.0.0.1'], leftOut: 0, steps: [], missing: absent };
    return new Sequence(probe, plan, { signal, scan, tell: () => undefined }).run(plan.hosts);
  };

  const answering =
    (results: Partial<Record<string, Partial<ScanResult>>>): SequenceOptions['scan'] =>
    async ({ name }) =>
      sampleScan({ tool: name, findings: [], ...results[name] });

  it('says that nothing was looked at where nothing tells the ports', async () => {
    const end = await run(['nmap_scan'], answering({}));
    expect(end.scans).toEqual([]);
    expect(end.failures.join()).toContain('nmap is missing');
  });

  it.each([
    ['error', 1],
    ['timed_out', 3],
    ['cancelled', 3],
  ] as const)('a port whose probe ends with %s', async (status, scans) => {
    const end = await run(nothingElse, answering({ nmap_scan: { findings: [port] }, http_probe: { status } }));
    expect(end.scans).toHaveLength(scans);
  });

  it('knows that it was cut', async () => {
    const stop = new AbortController();
    const whole = await run(nothingElse, answering({}), stop.signal);
    expect(whole).toMatchObject({ isCut: false, failures: [] });
    const cut = await run(
      nothingElse,
      async (scanner, input) => {
        stop.abort();
        return answering({ nmap_scan: { findings: [port] } })(scanner, input);
      },
      stop.signal,
    );
    expect(cut).toMatchObject({ isCut: true, failures: [] });
  });

  it.each([
    [{ status: 'completed', notes: ['9 ports closed'] }, 'completed, 0 findings'],
    [{ status: 'timed_out', notes: [] }, 'timed out, 0 findings'],
    [{ status: 'error', notes: ['it is not HTTP', 'x'] }, 'error, 0 findings; it is not HTTP'],
  ] as const)('tells how one ended, %#', async ({ status, notes }, words) => {
    const told: string[] = [];
    const plan = { hosts: ['127.0.0.1'], leftOut: 0, steps: [], missing: [] };
    const scan = answering({ nmap_scan: { status, notes: [...notes] } });
    const signal = new AbortController().signal;
    await new Sequence(probe, plan, { signal, scan, tell: (event) => told.push(event.words) }).run(plan.hosts);
    expect(told).toEqual(['', words]);
  });

  it('ends at once where no box can be made, and goes on after any other failure', async () => {
    const noGate = new HostError('it needs root', { exitCode: exitCodes.noIsolation });
    await expect(run(nothingElse, () => Promise.reject(noGate))).rejects.toBe(noGate);
    const { failures } = await run(nothingElse, () => Promise.reject(new HostError('something else')));
    expect(failures).toEqual(['nmap_scan of 127.0.0.1: something else']);
  });

  it.each<[readonly ScannerName[], object, readonly string[]]>([
    [[], {}, ['nmap_scan', 'http_probe', 'tls_audit']],
    [['nmap_scan'], {}, []],
    [['nmap_scan'], { urls: ['http://127.0.0.1:8080/'] }, ['http_probe', 'tls_audit']],
  ])('plans without %j', async (missing, more, steps) => {
    const { scope, options } = await sampleProbe(more);
    const isThere = (name: ScannerName): boolean => !missing.includes(name) && !nothingElse.includes(name);
    expect(stepsOf(scope, ['127.0.0.1'], isThere).map(({ scanner }) => scanner)).toEqual(steps);
    await rm(options.homeFolder, { recursive: true });
  });
});
