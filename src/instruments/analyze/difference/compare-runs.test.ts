import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../../base/analysis-schema.ts';
import { reportSchema } from '../../../base/report-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { steadyPath } from './behaviour.ts';
import { compareRuns, differenceJsonSchema, type RunDifference, runDifferenceSchema } from './index.ts';
import { type SampleWishes, sampleAnalysis, sampleFinding, sampleReport } from './sample-report.ts';

const [tool] = sampleAnalysis.tools;
if (tool === undefined) throw new Error('the sample has a tool');

function compare(before: SampleWishes, after: SampleWishes): RunDifference {
  const reports = [before, after].map((wishes) => reportSchema.parse(sampleReport(wishes)));
  const [first, second] = reports;
  if (first === undefined || second === undefined) throw new Error('two reports');
  const compared = compareRuns(first, second);
  expect(runDifferenceSchema.parse(structuredClone(compared))).toEqual(compared);
  return compared;
}

function verdict(band: Analysis['verdict']['band'], risk: number | null, weakness = 'nothing seen'): Partial<Analysis> {
  const { axes } = sampleAnalysis.verdict;
  return {
    verdict: { ...sampleAnalysis.verdict, band, risk, axes: { ...axes, weakness: { label: weakness, because: [] } } },
  };
}

const host = (name: string, isDeclared: boolean, leaks = 0): Analysis['hosts'][number] => ({
  host: { text: name },
  ports: [443],
  protocols: ['https'],
  requests: 1,
  phases: ['use'],
  firstMs: 1,
  isDeclared,
  leaks,
  events: [],
});
const file = (path: string, is: 'decoy' | 'own' | 'system' | 'other'): Analysis['files'][number] => ({
  path: { text: path },
  access: 'read',
  is,
  count: 1,
  phase: 'use',
  firstMs: 1,
  event: 1,
});

describe('compareRuns', () => {
  it('says nothing of two runs that saw the same, whatever the version', () => {
    const compared = compare({}, { version: '2.0.0' });
    expect(compared).toMatchObject({
      isSame: true,
      isWorse: false,
      needsMore: false,
      worse: [],
      notes: [],
      leftOut: {},
    });
    expect(compared.before.version).toBe('1.0.0');
    expect(compared.after.title).toBe('notes 2.0.0 (npm:notes)');
  });

  it('names tools that came, went and changed', () => {
    const changed = { ...tool, description: { text: 'Reads and mails a note.' }, observed: ['uses the network'] };
    const gone = { ...tool, name: { text: 'gone' } };
    const fresh = { ...tool, name: { text: 'fresh' } };
    const { tools, isSame } = compare({ analysis: { tools: [tool, gone] } }, { analysis: { tools: [fresh, changed] } });
    expect(tools.added).toEqual([{ name: { text: 'fresh' } }]);
    expect(tools.removed).toEqual([{ name: { text: 'gone' } }]);
    expect(tools.changed.map(({ name, fields }) => [name, fields])).toEqual([
      [{ text: 'read' }, ['description', 'observed']],
    ]);
    expect(tools.changed[0]?.difference.slice(0, 3)).toEqual([
      { is: 'same', text: { text: 'description:' } },
      { is: 'removed', text: { text: 'Reads a note.' } },
      { is: 'added', text: { text: 'Reads and mails a note.' } },
    ]);
    expect(isSame).toBe(false);
  });

  it('names hosts, files and programs that are new or gone', () => {
    const program = {
      ...sampleAnalysis.processes[0],
      argv: [{ text: '/usr/bin/curl' }],
    } as Analysis['processes'][number];
    const { behaviour } = compare(
      { analysis: { hosts: [host('old.example', true)], files: [file('/home/u/.ssh/id', 'decoy')] } },
      { analysis: { hosts: [host('new.example', true)], files: [file('/usr/lib/a', 'system')], processes: [program] } },
    );
    expect(behaviour.hosts.new.map((each) => each.host)).toEqual([{ text: 'new.example' }]);
    expect(behaviour.hosts.gone.length).toBe(1);
    expect(behaviour.files).toEqual({
      new: [{ access: 'read', is: 'system', path: null }],
      gone: [{ access: 'read', is: 'decoy', path: { text: '/home/u/.ssh/id' } }],
    });
    expect(behaviour.programs).toEqual({ new: [{ program: { text: 'curl' } }], gone: [{ program: { text: 'node' } }] });
  });

  it.each([
    { path: '/tmp/npm-17a3/x', steady: '/tmp/npm-*/x' },
    { path: '/work/cache/0b8f7c1e9a52/index', steady: '/work/cache/*/index' },
    {
      path: '/home/user/.npm/_logs/2026-05-03T10_00_00_000Z-debug-0.log',
      steady: '/home/user/.npm/_logs/*-05-03T10_00_00_*Z-debug-0.log',
    },
    { path: '/home/user/notes.txt', steady: '/home/user/notes.txt' },
  ])('takes $path for $steady', ({ path, steady }) => {
    expect(steadyPath(path)).toBe(steady);
  });

  it('names permissions that the second run needs and the first did not', () => {
    const [low, high] = [tierPolicy('LOW'), tierPolicy('HIGH')];
    const wider = compare({ analysis: { policy: low } }, { analysis: { policy: high } });
    expect(wider.needsMore).toBe(true);
    expect(wider.permissions.new.length).toBeGreaterThan(0);
    const narrower = compare({ analysis: { policy: high } }, { analysis: { policy: low } });
    expect(narrower.permissions.gone).toEqual(wider.permissions.new);
    expect(compare({ analysis: { policy: null } }, {}).permissions).toEqual({ new: [], gone: [] });
  });

  it.each([
    { what: 'a new one', before: [], after: [sampleFinding], is: { new: 1, fixed: 0, changed: 0, same: 0 } },
    { what: 'one that is fixed', before: [sampleFinding], after: [], is: { new: 0, fixed: 1, changed: 0, same: 0 } },
    {
      what: 'one that is there still',
      before: [sampleFinding],
      after: [{ ...sampleFinding, locations: [{ path: 'moved.js', line: 90 }] }],
      is: { new: 0, fixed: 0, changed: 0, same: 1 },
    },
    {
      what: 'one with another id, by rule and place',
      before: [sampleFinding],
      after: [{ ...sampleFinding, id: 'f'.repeat(16) }],
      is: { new: 0, fixed: 0, changed: 0, same: 1 },
    },
    {
      what: 'one that weighs more',
      before: [sampleFinding],
      after: [{ ...sampleFinding, severity: 'high' as const }],
      is: { new: 0, fixed: 0, changed: 1, same: 0 },
    },
    {
      what: 'a second of the same rule in the same place',
      before: [sampleFinding],
      after: [sampleFinding, { ...sampleFinding, id: 'f'.repeat(16) }],
      is: { new: 1, fixed: 0, changed: 0, same: 1 },
    },
  ])('counts findings: $what', ({ before, after, is }) => {
    const { findings } = compare({ findings: before }, { findings: after });
    const { new: fresh, fixed, changed, same } = findings;
    expect({ new: fresh.length, fixed: fixed.length, changed: changed.length, same }).toEqual(is);
  });

  it('does not call fixed what nobody looked for', () => {
    const compared = compare({ findings: [sampleFinding] }, { isComplete: false });
    expect(compared.findings.fixed).toEqual([]);
    expect(compared.findings.unknown.map(({ id }) => id)).toEqual([sampleFinding.id]);
    expect(compared.notes).toEqual(['the second run is not complete: what is gone may still be there']);
  });

  it.each([
    { what: 'a worse band', after: { analysis: verdict('warns', 50, 'proven') }, says: 'from passes to warns' },
    { what: 'a new finding', after: { findings: [sampleFinding] }, says: 'new finding (medium)' },
    {
      what: 'a host that nothing declares',
      after: { analysis: { hosts: [host('x.example', false)] } },
      says: 'x.example',
    },
    {
      what: 'a host that got bait',
      after: { analysis: { hosts: [host('x.example', true, 1)] } },
      says: 'received bait',
    },
    {
      what: 'bait that is read',
      after: { analysis: { files: [file('/home/u/.ssh/id', 'decoy')] } },
      says: 'reads bait',
    },
    {
      what: 'a tool that belies itself',
      after: { analysis: { tools: [{ ...tool, contradicted: ['readOnlyHint'] }] } },
      says: 'what its annotations deny',
    },
  ] satisfies readonly { what: string; after: SampleWishes; says: string }[])(
    'is worse with $what',
    ({ after, says }) => {
      const compared = compare({}, after);
      expect(compared.isWorse).toBe(true);
      expect(compared.worse.join('\n')).toContain(says);
      // The same the other way round is better.
      expect(compare(after, {}).worse).toEqual([]);
    },
  );

  it.each([
    { what: 'for information', after: { findings: [{ ...sampleFinding, severity: 'info' }] } },
    { what: 'a declared host', after: { analysis: { hosts: [host('x.example', true)] } } },
    { what: 'more permissions', after: { analysis: { policy: tierPolicy('HIGH') } } },
    { what: 'a further tool', after: { analysis: { tools: [tool, { ...tool, name: { text: 'more' } }] } } },
  ] satisfies readonly { what: string; after: SampleWishes }[])('is not worse with $what', ({ after }) => {
    expect(compare({}, after)).toMatchObject({ isWorse: false, isSame: false });
  });

  it('is graver with better proof of the same', () => {
    const proven = { ...sampleFinding, evidenceClass: 'A' as const };
    expect(compare({ findings: [sampleFinding] }, { findings: [proven] }).worse[0]).toContain('graver than before');
    expect(compare({ findings: [proven] }, { findings: [sampleFinding] }).isWorse).toBe(false);
  });

  it('compares what can be compared where a side was not run', () => {
    const compared = compare({ analysis: null }, { findings: [sampleFinding] });
    expect(compared.verdict).toBeNull();
    expect(compared.tools).toEqual({ added: [], removed: [], changed: [] });
    expect(compared.findings.new.length).toBe(1);
    expect(compared.notes[0]).toContain('in the first run the target was not started');
  });

  it('takes reports without a target, and says when there are several or other ones', () => {
    const empty = { ...sampleReport(), subjects: [] };
    expect(compareRuns(empty, empty).isSame).toBe(true);
    const [subject] = sampleReport().subjects;
    if (subject === undefined) throw new Error('the sample has a target');
    const several = { ...sampleReport(), subjects: [subject, subject] };
    expect(compareRuns(several, several).notes).toEqual([
      'a run has more than one target: the first of each is compared',
    ]);
    expect(compare({}, { name: 'other' }).notes).toEqual(['the two runs are about targets with different names']);
  });

  it('is cut where there is too much, and says so', () => {
    const tools = Array.from({ length: 1200 }, (_, at) => ({ ...tool, name: { text: `tool ${at}` } }));
    const compared = compare({}, { analysis: { tools } });
    expect(compared.tools.added.length).toBe(500);
    expect(compared.leftOut).toEqual({ 'tools.added': 700 });
  });

  it('has a schema for other programs', () => {
    expect(differenceJsonSchema()).toMatchObject({ title: 'Hotcell difference', type: 'object' });
  });
});
