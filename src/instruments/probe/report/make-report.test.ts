import { describe, expect, it } from 'vitest';
import { reportSchema } from '../../../base/report-schema.ts';
import { renderers } from '../../../evidence/renderers/index.ts';
import { makeReport, ruleTextsOf } from './make-report.ts';
import { sampleFinding, sampleScan } from './sample-scan.ts';

const high = sampleFinding({ id: 'ffffffffffffffff', rule: 'http/cors-any-origin', severity: 'high', title: 'CORS' });

describe('makeReport', () => {
  it('has one subject per host, one check per scan, and each finding once, the worst first', () => {
    const scans = [
      sampleScan({}, [sampleFinding(), high]),
      sampleScan({ id: 'b', tool: 'http_probe', started: '2026-01-01T00:00:10.000Z' }, [high]),
      { ...sampleScan({ id: 'c' }), host: 'api.example.com' },
    ];
    const report = makeReport(scans, '1.2.3');
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report.subjects.map(({ target }) => target.spec)).toEqual(['192.0.2.7', 'api.example.com']);
    expect(report.subjects[0]?.findings.map(({ severity }) => severity)).toEqual(['high', 'info']);
    expect(report.subjects[0]?.checks.map(({ is }) => is)).toEqual(['done', 'done']);
    expect(report).toMatchObject({ isComplete: true, durationMs: 11_200, startedAt: '2026-01-01T00:00:00.000Z' });
    expect(ruleTextsOf(report).map(({ id }) => id)).toEqual(['http/cors-any-origin', 'nmap/open-port']);
  });

  it.each([
    ['timed_out', 'its time was up before its end; it said no'],
    ['cancelled', 'it was cancelled before its end; it said no'],
    ['error', 'it ended with an error; it said no'],
  ] as const)('is not complete when a scan is %s', (status, because) => {
    const report = makeReport([sampleScan(), sampleScan({ id: 'b', status, notes: ['it said no'] })], '1');
    expect(report.isComplete).toBe(false);
    expect(report.subjects[0]?.checks[1]).toMatchObject({ is: 'unknown', because });
  });

  it('names the scanners that are not there', () => {
    const report = makeReport([sampleScan()], '1', [{ scanner: 'nuclei_scan', because: 'it is not installed' }]);
    expect(report.isComplete).toBe(true);
    expect(report.subjects[0]?.checks[1]).toMatchObject({ is: 'not-applicable', because: 'it is not installed' });
    expect(reportSchema.parse(report)).toEqual(report);
  });

  it('counts what was found wrong, and nothing that was not counted', () => {
    const facts = [{ kind: 'fact', name: 'answer' }];
    const network = { by: 'outside', connections: null, requests: null, refused: [], capture: null, is_complete: true };
    const scan = sampleScan({ findings: facts, network: { ...network, by: 'outside' } }, [high]);
    const told = makeReport([scan], '1').subjects[0]?.checks[0]?.facts;
    expect(told).toMatchObject({ findings: 1 });
    expect(Object.keys(told ?? {})).not.toContain('requests');
    expect(Object.keys(told ?? {})).not.toContain('connections');
  });

  it.each([
    ['Open port: 192.0.2.7:80', 'Open port'],
    ['Served without a credential: GET /api/v1/users', 'Served without a credential'],
    ['Administration: https://192.0.2.7/admin', 'Administration'],
    ['A cookie that scripts can read: <b>x</b>: y', 'A cookie that scripts can read'],
    ['Apache 2.4.49: path traversal', 'Apache 2.4.49: path traversal', 'nuclei/x'],
    ['CORS', 'CORS'],
  ])('the rule of %j is about every place', (title, told, rule = 'http/x') => {
    const [text] = ruleTextsOf(makeReport([sampleScan({}, [sampleFinding({ title, rule })])], '1'));
    expect(text).toMatchObject({ title: told, what: `${told}.`, fires: 'tcp://192.0.2.7:80' });
  });

  it('of nothing is not complete', () => {
    expect(makeReport([], '1')).toMatchObject({ isComplete: false, subjects: [] });
  });

  it('is rendered in every format, with places of the network as they are', () => {
    const report = makeReport(
      [sampleScan({}, [sampleFinding(), { ...high, locations: [{ path: 'http://192.0.2.7/a?b=1' }] }])],
      '1',
    );
    const input = { report, rules: ruleTextsOf(report), boms: [null] };
    for (const renderer of renderers.filter(({ id }) => id !== 'cyclonedx')) {
      expect(renderer.render(input), renderer.id).toContain('192.0.2.7');
    }
    const sarif = renderers.find(({ id }) => id === 'sarif')?.render(input) ?? '';
    const results = (
      JSON.parse(sarif) as {
        runs: { results: { locations: { physicalLocation: { artifactLocation: object } }[] }[] }[];
      }
    ).runs[0]?.results;
    expect(results?.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation)).toEqual([
      { uri: 'http://192.0.2.7/a?b=1' },
      { uri: 'tcp://192.0.2.7:80' },
    ]);
  });
});
