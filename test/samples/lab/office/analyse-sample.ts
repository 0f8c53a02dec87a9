import type { Analyser, AnalyserInput, AnalyserResult } from '../../../../src/instruments/lab/contract.ts';

/** Runs an analyser on a sample as the lab would. */
export async function analyseSample(
  analyser: Analyser,
  bytes: Uint8Array,
  options: Partial<AnalyserInput> = {},
): Promise<AnalyserResult> {
  return await analyser.analyse({
    bytes,
    kind: { id: analyser.kinds === 'any' ? 'data' : (analyser.kinds[0] ?? 'data'), title: '', mime: '' },
    name: 'sample',
    depth: 'standard',
    passwords: [],
    rulesFolders: [],
    tick: () => undefined,
    ...options,
  });
}

export function rulesOf(result: AnalyserResult): string[] {
  return result.findings.map(({ rule }) => rule).toSorted();
}
