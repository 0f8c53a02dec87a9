import { describe, expect, it } from 'vitest';
import { type AnalyserRun, type Facts, type LabFinding, noResult } from '../contract.ts';
import { type KindId, kindIds } from '../kinds.ts';
import { type AdviceInput, adviseOn, triageSignals } from './advisories.ts';
import { hintsFor, playbookFor } from './playbooks.ts';

const finding = (rule: string): LabFinding => ({
  rule,
  title: rule,
  severity: 'low',
  evidenceType: 'structural',
  evidence: [],
  benign: '',
});

function analysed(
  analyser: string,
  result: { facts?: Facts; findings?: LabFinding[]; notes?: string[] } = {},
  status: AnalyserRun['status'] = 'done',
): AnalyserRun {
  return { analyser, version: 1, status, elapsedMs: 1, result: { ...noResult, ...result } };
}

function ran(
  id: string,
  exit: number | null,
  options: { status?: string; facts?: Facts; output?: string; findings?: LabFinding[] } = {},
): AdviceInput['tools'][number] {
  const { status = 'clean', facts = {}, output = '', findings = [] } = options;
  return { run: { id, status, exit_code: exit }, result: { facts, findings }, stdout: Buffer.from(output) };
}

const input = (kind: KindId, parts: Partial<AdviceInput> = {}): AdviceInput => ({
  kind: { id: kind },
  runs: [],
  tools: [],
  inner: [],
  ...parts,
});

const autoit: Facts = { detections: [{ type: 'Compiler', name: 'AutoIt', version: '3' }] };
const relaunch = 'cmd wscript.exe //E:jscript C:\\CURRENT_SCRIPT_IN_FAKED_DIR.js more';

const table: readonly (readonly [string, AdviceInput, number, RegExp])[] = [
  [
    'AutoIt in a wrapper',
    input('pe', { tools: [ran('autoit-ripper', 1), ran('diec', 0, { facts: autoit })] }),
    10,
    /AutoIt/,
  ],
  ['capa sees a packer', input('pe', { tools: [ran('capa', 14)] }), 9, /capa/],
  [
    'packed by our own reading',
    input('pe', { runs: [analysed('pe', { findings: [finding('pe.packer')] })] }),
    9,
    /packed or protected/,
  ],
  ['a document without its password', input('office-encrypted'), 9, /encrypted/],
  [
    'a PDF without its password',
    input('pdf', { runs: [analysed('pdf', { facts: { encryption: { opened: false } } })] }),
    9,
    /PDF is encrypted/,
  ],
  [
    'emulation at its limit',
    input('javascript', { tools: [ran('box-js', null, { status: 'timed-out' })] }),
    8,
    /emulated script ran/,
  ],
  [
    'emulation that says so',
    input('javascript', { tools: [ran('box-js', 0, { output: 'x\nAnalysis for a.js timed out.\n' })] }),
    8,
    /emulated script ran/,
  ],
  [
    'a script that starts itself',
    input('javascript', { tools: [ran('box-js', 0, { output: relaunch })] }),
    8,
    /starts itself/,
  ],
  [
    'stomped macros',
    input('ole2', { tools: [ran('olevba', 0, { findings: [finding('olevba.vba-stomping')] })] }),
    8,
    /disagree/,
  ],
  ['an archive that stays shut', input('7z'), 8, /not opened/],
  ['a family by rule', input('pe', { tools: [ran('yara-forge', 0, { facts: { rule_count: 2 } })] }), 7, /YARA/],
  ['an analyser out of time', input('pe', { runs: [analysed('pe', {}, 'timed-out')] }), 7, /analyser ran into/],
  ['a tool out of time', input('pe', { tools: [ran('floss', null, { status: 'timed-out' })] }), 6, /tool ran into/],
  [
    'a file cut short',
    input('pe', { runs: [analysed('pe', { notes: ['headers: the file ends before the PE headers do'] })] }),
    6,
    /ends before/,
  ],
  [
    'a password in a message',
    input('eml', { runs: [analysed('mail', { findings: [finding('mail.password-in-body')] })] }),
    6,
    /names a password/,
  ],
  [
    'encrypted members',
    input('zip', { runs: [analysed('archive', { findings: [finding('archive.encrypted')] })] }),
    7,
    /encrypted members/,
  ],
];

describe('adviseOn', () => {
  it.each(table)('%s', (_name, given, priority, issue) => {
    const advice = adviseOn(given).find((one) => issue.test(one.issue));
    expect(advice?.priority).toBe(priority);
    expect(advice?.remediation).not.toBe('');
  });

  it('says nothing where nothing is the matter', () => {
    const quiet = input('pe', {
      runs: [analysed('pe', { facts: { installers: [] } })],
      tools: [ran('capa', 0), ran('autoit-ripper', 1), ran('yara-forge', 0, { facts: { rule_count: 0 } })],
    });
    expect(adviseOn(quiet)).toEqual([]);
  });

  it('is not moved by what a sample prints', () => {
    const loud = input('javascript', {
      tools: [ran('strings', 0, { output: 'Analysis for a.js timed out\ntimeout\n' })],
    });
    expect(adviseOn(loud)).toEqual([]);
  });

  it('puts the most pressing first', () => {
    const many = input('pe', {
      tools: [
        ran('floss', null, { status: 'timed-out' }),
        ran('capa', 14),
        ran('yara-forge', 0, { facts: { rule_count: 1 } }),
      ],
    });
    expect(adviseOn(many).map(({ priority }) => priority)).toEqual([9, 7, 6]);
  });
});

describe('triageSignals', () => {
  it('joins who says so', () => {
    const runs = [analysed('pe', { facts: { packer: 'UPX', installers: ['nsis'] } })];
    const tools = [ran('diec', 0, { facts: { detections: [{ type: 'Packer', name: 'UPX', version: '4' }] } })];
    expect(triageSignals({ runs, tools })).toEqual([
      { id: 'nsis', kind: 'installer', title: 'NSIS installer', sources: ['pe'] },
      { id: 'upx', kind: 'packer', title: 'packed by UPX', sources: ['pe', 'diec'] },
    ]);
  });
});

describe('playbooks', () => {
  it('has steps for every kind', () => {
    for (const kind of kindIds) expect(playbookFor(kind).length, kind).toBeGreaterThanOrEqual(2);
    expect(new Set(kindIds.map((kind) => playbookFor(kind).join())).size).toBeGreaterThanOrEqual(20);
  });

  it.each([
    [{ packer: 'UPX' }, /UPX/],
    [{ is_dll: true }, /DLL/],
    [{ compilers: ['Delphi 7'] }, /Delphi/],
  ])('%j', (facts, hint) => expect(hintsFor([facts as Facts]).join()).toMatch(hint));

  it('has no hint for nothing', () => expect(hintsFor([{ is_dll: false, packer: null }])).toEqual([]));
});
