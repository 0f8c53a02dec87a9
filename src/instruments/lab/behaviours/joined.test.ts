import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inputOf } from '../../../../test/samples/lab/fuzz-analyser.ts';
import { type PeSampleName, peSamples } from '../../../../test/samples/lab/pe/samples.ts';
import { elfAnalysers } from '../analysers/elf/index.ts';
import { peAnalysers } from '../analysers/pe/index.ts';
import { adviseOn, triageSignals } from '../catalogue/advisories.ts';
import { hintsFor } from '../catalogue/playbooks.ts';
import type { AnalyserRun } from '../contract.ts';
import type { KindId } from '../kinds.ts';
import { checkBehaviours, type StaticCapability } from './check.ts';
import { type ComparedSample, compareSamples } from './compare.ts';

/** The words that our own analysers write are those that are read here. */

async function analyse(bytes: Uint8Array, kind: KindId): Promise<readonly AnalyserRun[]> {
  const fitting = [...peAnalysers, ...elfAnalysers].filter(({ kinds }) => kinds === 'any' || kinds.includes(kind));
  return Promise.all(
    fitting.map(async (analyser) => ({
      analyser: analyser.id,
      version: analyser.version,
      status: 'done' as const,
      elapsedMs: 0,
      result: await analyser.analyse(inputOf(bytes, kind)),
    })),
  );
}

const kindOf = (name: PeSampleName): KindId => (name.startsWith('dotnet') ? 'dotnet' : 'pe');
const factsOf = (runs: readonly AnalyserRun[]) => runs.map(({ result }) => result.facts);

describe('behaviours by the facts of the analysers', () => {
  const table: readonly (readonly [PeSampleName, string, StaticCapability])[] = [
    ['pe64', 'process_injection_remote', 'capable_statically'],
    ['pe64', 'http_c2_wininet', 'capable_statically'],
    ['pe64', 'keylog_hook', 'possibly_via_dynamic_resolution'],
    ['small', 'keylog_hook', 'incapable_statically'],
    ['upxLayout', 'keylog_hook', 'analysis_incomplete'],
    ['dotnet', 'keylog_hook', 'analysis_incomplete'],
  ];

  it.each(table)('%s: %s is %s', async (name, behaviour, expected) => {
    const runs = await analyse(peSamples[name](), kindOf(name));
    expect(checkBehaviours(kindOf(name), factsOf(runs), behaviour).results[0]?.static_capability).toBe(expected);
  });

  it('sees platform calls of managed code', async () => {
    const runs = await analyse(peSamples.dotnet(), 'dotnet');
    const { managed, results } = checkBehaviours('dotnet', factsOf(runs), 'process_injection_self');
    expect(managed).toBe(true);
    expect(results[0]?.apis_present).toContain('VirtualProtect');
  });

  it('reads a program of the system', async (context) => {
    const bytes = readFileSync('/bin/ls');
    if (bytes.readUInt32BE(0) !== 0x7f454c46) return context.skip('no ELF program');
    const report = checkBehaviours('elf', factsOf(await analyse(bytes, 'elf')));
    expect(report.import_count).toBeGreaterThan(50);
    expect(report.results.find(({ behavior }) => behavior === 'linux_process_injection')?.static_capability).toBe(
      'incapable_statically',
    );
  });
});

describe('advice by the findings of the analysers', () => {
  const table: readonly (readonly [PeSampleName, RegExp, string])[] = [
    ['upxLayout', /packed or protected/, 'upx'],
    ['nsis', /installer or a self-extractor/, 'nsis'],
    ['pyInstaller', /PyInstaller/, 'pyinstaller'],
    ['pyInstallerOld', /PyInstaller/, 'pyinstaller'],
  ];

  it.each(table)('%s', async (name, issue, signal) => {
    const runs = await analyse(peSamples[name](), 'pe');
    expect(
      adviseOn({ kind: { id: 'pe' }, runs, tools: [], inner: [] })
        .map((advice) => advice.issue)
        .join('\n'),
    ).toMatch(issue);
    expect(triageSignals({ runs, tools: [] }).map(({ id }) => id)).toContain(signal);
    expect(hintsFor(factsOf(runs)).length).toBeGreaterThan(0);
  });

  it('is silent about a plain program', async () => {
    const runs = await analyse(peSamples.small(), 'pe');
    expect(adviseOn({ kind: { id: 'pe' }, runs, tools: [], inner: [] })).toEqual([]);
    expect(triageSignals({ runs, tools: [] })).toEqual([]);
  });
});

describe('comparing by the facts of the analysers', () => {
  it('tells a program for 32 bits from one for 64', async () => {
    const sample = async (name: PeSampleName): Promise<ComparedSample> => {
      const bytes = peSamples[name]();
      const runs = await analyse(bytes, 'pe');
      const findings = runs.flatMap(({ result }) => result.findings);
      return {
        name,
        kind: 'pe',
        sha256: name,
        sizeBytes: bytes.length,
        entropy: null,
        facts: factsOf(runs),
        findings,
        strings: [],
      };
    };
    const diff = compareSamples(await sample('pe32'), await sample('pe64'));
    expect(diff.architecture.is_same).toBe(false);
    expect(diff.import_hash).toMatchObject({ a: expect.stringMatching(/^[0-9a-f]{32}$/), is_same: true });
    expect(diff.imports).toMatchObject({ added: [], removed: [] });
    expect(diff.imports.common_count).toBeGreaterThan(10);
    expect(diff.exports.common_count).toBe(2);
    expect(diff.sections.common_count).toBeGreaterThan(2);
  });
});
