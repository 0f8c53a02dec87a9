import { expect } from 'vitest';
import { z } from 'zod';
import { callTool } from '../../../../src/doors/tools/call-tool.ts';
import type { RecordedEntry } from '../../../../src/doors/tools/contract.ts';
import { labToolset } from '../../../../src/doors/tools/lab/index.ts';
import { openSampleHost } from '../../../../src/doors/tools/sample-host.ts';
import { analyseSample } from '../../../../src/instruments/lab/analysis/analyse.ts';
import { Lab } from '../../../../src/instruments/lab/lab.ts';
import { peSamples } from '../../../samples/lab/pe/samples.ts';
import type { Row } from './benches.ts';

/** What makes a lab something that others can build on. */

export const serviceRows: readonly Row[] = [
  {
    number: 27,
    name: 'results are kept by content, tools run side by side, progress is told, acts are recorded, answers have schemas',
    needs: ['sshd'],
    async check(benches) {
      for (const { name, output, annotations } of labToolset.tools) {
        const schema = z.toJSONSchema(output, { io: 'output' });
        expect(Object.keys(schema.properties ?? {}).length, name).toBeGreaterThan(0);
        expect(schema.additionalProperties, name).toBe(false);
        expect(Object.keys(annotations), name).toHaveLength(4);
      }
      const bench = await benches.stubs();
      bench.lay('program.exe', peSamples.pe64());
      const phases: string[] = [];
      const shares: number[] = [];
      const report = await bench.analyse('program.exe', {
        depth: 'standard',
        isFresh: true,
        progress: (phase, share) => {
          phases.push(phase);
          if (share !== undefined) shares.push(share);
        },
      });
      expect(phases).toEqual(expect.arrayContaining(['own analysers', 'capa', 'joining']));
      expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
      // Each waits for the other: they met, so neither waited for the other to end.
      const outputs = report.tools.filter(({ id }) => id === 'diec' || id === 'peframe').map(({ output }) => output);
      expect(outputs).toEqual(['met\n', 'met\n']);
      // Another lab, such as one that is started tomorrow, finds what this one has kept.
      const later = await Lab.open(bench.lab.options);
      try {
        const again = await analyseSample(later, {
          file: 'program.exe',
          depth: 'standard',
          toolTimeoutMs: null,
          passwords: [],
          isDetonated: false,
          detonationSeconds: 1,
          isFresh: false,
          signal: AbortSignal.timeout(60_000),
        });
        expect(again).toMatchObject({ is_from_cache: true, started_at: report.started_at });
      } finally {
        await later.close();
      }
      const entries: RecordedEntry[] = [];
      const host = await openSampleHost({
        lab: async () => bench.lab,
        record: async (entry) => {
          entries.push(entry);
        },
      });
      try {
        const runTool = labToolset.tools.find(({ name }) => name === 'run_tool');
        if (runTool === undefined) throw new Error('there is no run_tool');
        const { isError } = await callTool(runTool, { command: 'true' }, host.host);
        expect(isError).toBe(false);
        expect(entries).toMatchObject([{ tool: 'run_tool', action: 'lab.run', secrets: { command: 'true' } }]);
      } finally {
        await host.close();
      }
    },
  },
];
