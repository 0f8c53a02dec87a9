import { describe, expect, it } from 'vitest';
import { inspectFiles } from './inspect-files.ts';

describe('nothing is silently left out', () => {
  it('tells what cannot be parsed, as unknown', () => {
    const { findings, issues } = inspectFiles({ 'a.js': 'const = ((', 'b.py': 'def (:', 'c.js': 'fetch("x")' });
    expect(issues.map(({ path }) => path)).toEqual(['a.js', 'b.py']);
    expect(findings).toMatchObject([
      { rule: 'capabilities/not-analysed', evidenceClass: 'U', locations: [{ path: 'a.js' }, { path: 'b.py' }] },
    ]);
  });

  it.each([
    ['brackets', `${'('.repeat(60_000)}1${')'.repeat(60_000)}`],
    ['lists behind a comment', `/* " */${'['.repeat(60_000)}${']'.repeat(60_000)}`],
    ['templates', `${'`${'.repeat(60_000)}1${'}`'.repeat(60_000)}`],
    ['arrows', 'a=>'.repeat(60_000)],
    ['elements', `${'<a>'.repeat(60_000)}${'</a>'.repeat(60_000)}`],
    ['statements', `${'if(a)'.repeat(60_000)}b`],
    ['statements on lines', `${'if (a)\n'.repeat(60_000)}b`],
    ['alternatives', 'if(a);else '.repeat(60_000)],
    ['loops', 'for(;;)'.repeat(60_000)],
    ['words', 'new '.repeat(60_000)],
    ['labels', 'a:'.repeat(60_000)],
    ['powers', `${'a**'.repeat(60_000)}a`],
    ['conditions', 'a?b:'.repeat(60_000)],
    ['brackets behind a regular expression', `x=/["(]/;${'('.repeat(60_000)}`],
  ])('survives text that is nested deeply: %s', (_, code) => {
    expect(inspectFiles({ 'a.js': code }).issues).toMatchObject([
      { path: 'a.js', problem: 'is nested too deeply to be parsed' },
    ]);
  });

  it.each([
    ['lines without semicolons', 'const a = b ? c : d\nif (a) return\nlet e = !a\nfoo(a)\n'.repeat(3_000)],
    ['a table of cases', `switch (a) { ${'case 1:\n'.repeat(2_000)} b() }`],
    ['a list of conditions', `${'a=b?c:d,'.repeat(5_000)}1`],
    ['a chain of alternatives', `if (a) { b() }${' else if (a) { b() }'.repeat(1_000)}`],
    ['a long sum', `x = ${'"a" + '.repeat(2_000)}"b"`],
    ['many functions', 'function f(a) { return [a, { b: (c) => `${c}` }]; }\n'.repeat(5_000)],
    ['regular expressions with brackets', 'x.replace(/[({]/g, "(").split(/\\(/);\n'.repeat(3_000)],
    ['texts with brackets', 'say("((((", \'{{{\', `[[[`);\n'.repeat(3_000)],
  ])('takes what is only long: %s', (_, code) => {
    expect(inspectFiles({ 'a.js': code }).issues).toEqual([]);
  });
});
