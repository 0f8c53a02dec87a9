import { describe, expect, it } from 'vitest';
import { HostError } from '../../../base/errors.ts';
import { notAvailable, yes } from '../../../base/outcome.ts';
import { describeTerminal } from '../terminal/index.ts';
import { renderBackends, renderClean, renderFix, renderTools, renderVerdict } from './render.ts';
import { type BackendReport, toAnswer } from './report.ts';

const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });

describe('toAnswer', () => {
  const say = (value: string) => `found ${value}`;
  it.each([
    ['yes', yes('x'), { state: 'works', summary: 'found x' }],
    ['no', { is: 'no' } as const, { state: 'missing', summary: 'no' }],
    [
      'not applicable',
      { is: 'not-applicable' } as const,
      { state: 'not applicable', summary: 'does not apply to this machine' },
    ],
    ['missing', notAvailable('gone'), { state: 'missing', summary: 'gone' }],
    ['missing, with a remedy', notAvailable('gone', 'apt'), { state: 'missing', summary: 'gone', mend: 'apt' }],
    [
      'an error',
      { is: 'error', error: new HostError('broke', { hint: 'try' }) } as const,
      { state: 'failed', summary: 'broke', mend: 'try' },
    ],
  ])('%s', (_, outcome, answer) => {
    expect(toAnswer(outcome, say)).toEqual(answer);
  });
});

const works: BackendReport = {
  id: 'bwrap',
  title: '',
  strength: 1,
  state: 'works',
  summary: 'held',
  version: '1',
  notes: ['a note'],
  selfCheck: [],
  limitsInForce: [
    { limit: 'cpuCores', value: 1, by: 'none' },
    { limit: 'wallMs', value: 1, by: 'watchdog' },
  ],
  gaps: [],
  tookMs: 1,
};
const missing: BackendReport = {
  ...works,
  id: 'runc',
  state: 'missing',
  summary: 'gone',
  mend: 'apt-get install runc',
  notes: [],
  limitsInForce: [],
};
const failed: BackendReport = { ...missing, id: 'gvisor', state: 'failed' };

describe('doctor in words', () => {
  it('shows a backend with its notes, its remedy and the limits that nobody keeps', () => {
    expect(renderBackends([works, missing, failed], terminal)).toBe(
      [
        '  +  bwrap   held',
        '             a note',
        '             not limited here: cpuCores',
        '  !  runc    gone',
        '             > apt-get install runc',
        '  x  gvisor  gone',
        '             > apt-get install runc',
        '',
      ].join('\n'),
    );
  });

  it('tells a tool that boxes need from one that may stay away', () => {
    const tool = { package: 'p', usedFor: 'things' };
    const tools = [
      { ...tool, id: 'a', path: '/bin/a', isFixed: true },
      { ...tool, id: 'b', path: null, isFixed: true },
      { ...tool, id: 'c', path: null, isFixed: false },
    ];
    expect(renderTools(tools, terminal)).toBe(
      [
        '  +  a  /bin/a                     things',
        '  !  b  not installed (package p)  things',
        '  -  c  not installed (package p)  things',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [[works, missing], 'bwrap', /^1 of 2 kinds of box work; auto takes bwrap\.\n$/],
    [[missing], null, /^No box works here: Hotcell will not run anything\./],
  ] as const)('ends with a verdict', (backends, auto, text) => {
    expect(renderVerdict(backends, auto, terminal)).toMatch(text);
  });

  it('says what was cleaned and what was kept', () => {
    expect(renderClean({ removed: [], kept: [] }, terminal)).toBe('  nothing was left behind\n');
    expect(renderClean({ removed: ['/a'], kept: ['/b: in use'] }, terminal)).toBe(
      '  +  removed  /a\n  !  kept     /b: in use\n',
    );
  });

  it('says what was installed and why no more', () => {
    const fix = { commands: [], installed: ['runc'], unknown: ['runsc'] };
    expect(renderFix(fix, terminal)).toBe(
      '  +  installed runc\n  !  runsc: no package source of this machine has it\n',
    );
    expect(renderFix({ ...fix, installed: [], unknown: [], because: 'not agreed to' }, terminal)).toBe(
      '  -  nothing installed: not agreed to\n',
    );
  });
});
