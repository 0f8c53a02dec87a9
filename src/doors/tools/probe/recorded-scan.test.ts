import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Probe } from '../../../instruments/probe/probe.ts';
import { sampleProbe } from '../../../instruments/probe/sample-probe.ts';
import { scanners } from '../../../instruments/probe/scanners/index.ts';
import type { LedgerEntry } from '../contract.ts';
import { recordedScan } from './recorded-scan.ts';

describe('what the ledger is told', () => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await sampleProbe({ ports: [8080] });
  });
  afterAll(() => rm(probe.options.homeFolder, { recursive: true }));

  it.each([
    ['of what is out of scope', 'http://127.0.0.1:9090/', false, [['probe.refuse', 'refused', undefined]]],
    [
      'of a scan that was ended before it began',
      'http://127.0.0.1:8080/',
      true,
      [
        ['probe.scan', undefined, undefined],
        ['probe.result', undefined, 'cancelled'],
      ],
    ],
  ])('%s', async (_, url, isAborted, told) => {
    const http = scanners.find(({ name }) => name === 'http_probe');
    if (http === undefined) throw new Error('there is no such scanner');
    const entries: LedgerEntry[] = [];
    const record = async (entry: LedgerEntry): Promise<void> => void entries.push(entry);
    const signal = isAborted ? AbortSignal.abort() : new AbortController().signal;
    const call = { signal, progress: () => undefined, record };
    await expect(recordedScan(probe, http, http.input.parse({ url }), call)).rejects.toThrow();
    expect(entries.map(({ action, verdict, details }) => [action, verdict, details.status])).toEqual(told);
    for (const { policy, details } of entries) expect([policy, details.target]).toEqual([probe.scope.fingerprint, url]);
  });
});
