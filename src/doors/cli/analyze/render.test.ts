import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { reportSchema } from '../../../base/report-schema.ts';
import {
  cleanReport,
  hostileText,
  sampleAnalysis,
  sampleReport,
  sampleVerdict,
} from '../../tools/runs/sample-report.ts';
import { describeTerminal, displayWidth } from '../terminal/index.ts';
import { renderResult } from './render.ts';

const kept = { folder: '/home/me/.hotcell/runs/r1', name: 'r1' };
const options = { isDetailed: false, isInterrupted: false, kept };
const at = (columns: number, color: 'always' | 'never' = 'never') =>
  describeTerminal({ color, isTerminal: true, columns, environment: { LANG: 'C.UTF-8' } });

describe('the result of an analysis on a terminal', () => {
  it('is made of reports that are reports', () => {
    expect(reportSchema.safeParse(sampleReport()).error).toBeUndefined();
    expect(reportSchema.safeParse(cleanReport()).error).toBeUndefined();
  });

  it('reads like this', () => {
    expect(`\n${renderResult(sampleReport(), at(80), options)}`).toBe(String.raw`
notes-server 1.0.0 (/srv/notes)
notes \x1b[2J\u{202e}evil 1.0.0, gvisor, 23.4 s

FAILS  risk 98 of 100
  hostility  no sign of harm
  weakness   vulnerable       1 finding of class A
  exposure   nothing known
  findings   1 critical, 1 high
  coverage   2 of 2 tools, 3 of 4 parameters, sensors saw everything
             phases install, start, use, attack

critical  A  The tool search runs what its argument says
             2a7e8bf8ae15c68e weakness interrogate/command-injection CWE-78
             MCP05
             call     search: {"word":"x$(touch m)\x1b[2J\u{202e}evil"}
             process  sh -c: grep -r x$(touch m) notes
             event    exec: /usr/bin/touch m
             effect   a file that only the marker names: /work/m
             remedy   Start the program without a shell and hand the value over
                      as one argument.

high      D  A path from an argument is opened  server.js:12

What it needs
  reads      {work}/notes
  writes     none
  programs   /usr/bin/grep
  hosts      api.example:443
  variables  none
  refused    read {home}/.ssh/id_ed25519: it is bait

Kept in /home/me/.hotcell/runs/r1
  page       hotcell report r1 --open
  again      hotcell replay r1 2a7e8bf8
  events     hotcell events /home/me/.hotcell/runs/r1 --tree
`);
  });

  it('reads like this when there is nothing to say', () => {
    expect(`\n${renderResult(cleanReport(), at(120), { ...options, kept: null })}`).toBe(String.raw`
notes-server 1.0.0 (/srv/notes)
notes \x1b[2J\u{202e}evil 1.0.0, gvisor, 23.4 s

PASSES  risk 0 of 100
  hostility  none
  weakness   none
  exposure   none
  findings   none
  coverage   2 of 2 tools, 3 of 4 parameters, sensors saw everything
             phases install, start, use, attack

What it needs
  reads      {work}/notes
  writes     none
  programs   /usr/bin/grep
  hosts      api.example:443
  variables  none
`);
  });

  it.each([
    [60, 'always'],
    [80, 'always'],
    [80, 'never'],
    [120, 'always'],
  ] as const)('keeps to %s columns with colour %s, and lets no target steer it', (columns, color) => {
    const text = renderResult(sampleReport(), at(columns, color), { ...options, isDetailed: true });
    expect(text).not.toContain('\u001b[2J');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('\\x1b[2J\\u{202e}evil');
    for (const line of text.split('\n').filter((each) => !/hotcell (report|replay|events)/.test(each))) {
      expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    }
  });

  it('says the same with and without colour', () => {
    const plain = renderResult(sampleReport(), at(80), options);
    expect(stripVTControlCharacters(renderResult(sampleReport(), at(80, 'always'), options))).toBe(plain);
  });

  it('shows the bytes of a call as they are, and the fields of an event as text', () => {
    const [proof] = sampleAnalysis().proofs;
    const step = (kind: 'call' | 'event' | 'process' | 'effect', title: string, text: string) =>
      ({ kind, title, detail: { text } }) as const;
    const steps = [
      step('call', 'count', '{"text":"a"}'),
      step('process', 'sh', 'sh'),
      step('event', 'exec', '{"path":{"text":"/bin/a\\"b"},"argv":[{"text":"x"}]}'),
      step('event', 'open', 'second'),
      step('effect', 'done', 'marker'),
    ];
    const proofs = proof === undefined ? [] : [{ ...proof, steps }];
    const text = renderResult(sampleReport({ analysis: sampleAnalysis({ proofs }) }), at(80), options);
    expect(text).toContain('call     count: {"text":"a"}\n');
    expect(text).toContain('event    exec: {"path":"/bin/a\\"b","argv":["x"]}\n');
    expect(text).not.toContain('second');
    expect(text).toContain('effect   done: marker\n');
  });

  it('says why a server did not start, with its last words', () => {
    const start = {
      isStarted: false,
      transport: null,
      argv: [],
      because: [],
      attempts: 3,
      stderrTail: { text: `first\n\nError: no key ${hostileText}\n` },
      guess: 'it wants API_KEY',
    };
    const verdict = sampleVerdict({ risk: null, band: 'unknown', isComplete: false });
    const text = renderResult(sampleReport({ analysis: sampleAnalysis({ start, verdict }) }), at(80), options);
    expect(text).toContain('INCONCLUSIVE  too little is known for a score');
    expect(text).toContain('It did not start after 3 attempts: it wants API_KEY');
    expect(text).toContain('| Error: no key \\x1b[2J');
  });

  it('marks what was cut short', () => {
    const cut = renderResult(sampleReport(), at(80), { ...options, isInterrupted: true });
    expect(cut).toContain('It is incomplete');
    const checks = [{ id: 'advisories', title: 'Advisories', is: 'unknown' as const, because: 'offline', facts: {} }];
    expect(renderResult(sampleReport({ checks }), at(80), options)).toContain('unknown  Advisories: offline');
  });
});
