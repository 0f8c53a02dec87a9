import { expect, it } from 'vitest';
import { sampleScan } from '../../../instruments/probe/report/sample-scan.ts';
import { fitResult } from './fit-result.ts';

const findings = Array.from({ length: 1000 }, (_, at) => ({ url: `http://192.0.2.7/${at}`, status: 200 }));
const { result } = sampleScan({ findings });

it('leaves a result that fits as it is', () => {
  expect(fitResult(result)).toBe(result);
});

it.each([2000, 10_000, 30_000])('cuts findings to %i bytes, and says where the others are', (most) => {
  const fitted = fitResult(result, most);
  const left = result.findings.length - fitted.findings.length;
  expect(fitted.findings).toEqual(result.findings.slice(0, fitted.findings.length));
  expect(fitted.findings.length).toBeGreaterThan(0);
  expect(fitted.notes[0]).toBe(`${left} findings more are kept: hotcell probe report ${result.id}`);
  expect(JSON.stringify({ ...fitted, notes: [] }).length).toBeLessThanOrEqual(most);
});

it('keeps everything else when nothing fits', () => {
  expect(fitResult(result, 10)).toMatchObject({ findings: [], target: result.target });
});
