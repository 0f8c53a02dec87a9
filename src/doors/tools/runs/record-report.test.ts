import { describe, expect, it } from 'vitest';
import { fingerprintPolicy, tierPolicy } from '../../../engine/policy/index.ts';
import { entriesOf } from './record-report.ts';
import { cleanReport, sampleReport } from './sample-report.ts';

describe('entriesOf', () => {
  it('says what ran, under which policy, and how it ended', () => {
    const policy = tierPolicy('LOW');
    const [entry] = entriesOf(sampleReport(), { tool: 'analyze', what: 'analyze', policy });
    expect(entry).toMatchObject({
      toolset: 'analyze',
      action: 'analyze.end',
      verdict: 'refused',
      policy: fingerprintPolicy(policy),
      details: { band: 'fails', risk: 98 },
    });
    expect(entriesOf(cleanReport(), { tool: 'scan', what: 'scan' })[0]).toMatchObject({ verdict: 'allowed' });
  });

  it.each([
    ['npm:some-server@1.2.3', true],
    ['/srv/notes', true],
    ['https://host.example/mcp', true],
    ['node server.js --token=secret', false],
    ['https://user:secret@host.example/', false],
    ['https://host.example/?key=secret', false],
  ])('tells %s as it is: %s', (spec, isPlain) => {
    const report = cleanReport();
    const subjects = report.subjects.map((subject) => ({ ...subject, target: { kind: 'command', spec } }));
    const [entry] = entriesOf({ ...report, subjects }, { tool: 'scan', what: 'scan' });
    const { secrets, ...told } = entry ?? {};
    expect(JSON.stringify(told).includes(spec)).toBe(isPlain);
    expect(secrets).toEqual(isPlain ? {} : { target: spec });
  });
});
