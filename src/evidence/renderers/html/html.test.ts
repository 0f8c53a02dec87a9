import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportSchema } from '../../../base/report-schema.ts';
import { readRubric } from '../../rubric.ts';
import { html } from '../html.ts';
import { poison, skeleton } from './sample-poison.ts';
import {
  emptyStory,
  faultlessSubject,
  hostileSubject,
  sampleFinding,
  sampleReport,
  sampleSubject,
  stillbornSubject,
  weakSubject,
} from './sample-report.ts';
import { busyStory } from './sample-story.ts';

const bom = {
  components: [
    {
      'bom-ref': 'a',
      name: 'left',
      version: '1.0.0',
      licenses: [{ license: { id: 'MIT' } }, { expression: 'A OR B' }],
    },
    { 'bom-ref': 'b', group: '@scope', name: 'right', licenses: 'odd' },
    { nonsense: true },
  ],
  vulnerabilities: [
    {
      id: 'GHSA-1',
      ratings: [{ severity: 'high' }],
      description: 'bad',
      recommendation: 'update',
      affects: [{ ref: 'a' }],
    },
  ],
};

function render(report: ReturnType<typeof sampleReport>): string {
  return html.render({ report, rules: [], boms: report.subjects.map(() => bom) });
}

const story = busyStory({ calls: 6, processes: 5, files: 6, hosts: 4 });
const all = sampleReport([
  hostileSubject(story),
  weakSubject(story),
  stillbornSubject(),
  faultlessSubject(emptyStory),
  (({ analysis: _, ...scanned }) => scanned)(hostileSubject(story)),
]);

describe('a report as HTML', () => {
  it('is made of reports that are valid', () => {
    expect(() => reportSchema.parse(all)).not.toThrow();
  });

  it.each([
    { is: 'markup', text: '</script></style></title><img src=x onerror=alert(1)><svg onload=alert(1)>' },
    { is: 'quotes', text: '" onmouseover="alert(1)" x=\' `' },
    { is: 'comments', text: '--><!-- ]]> <![CDATA[' },
    { is: 'entities', text: '&lt;img src=x&gt; &#60;b&#62;' },
    { is: 'style', text: '}*{background:url(//evil.example)}</style><style>@import "//evil.example";' },
    { is: 'controls', text: '\u0000\u001b[2J\u202eevil\u2066\u200b\ufeff\u2028\r\n\t' },
    { is: 'halves of characters', text: '\ud800 \udc00' },
    { is: 'names that every object has', text: 'constructor' },
    { is: 'the name of what is above every object', text: '__proto__' },
    { is: 'nothing', text: '' },
  ])('has no element and no attribute that a target wrote: $is', ({ text }) => {
    const page = render(poison(all, text));
    expect(skeleton(page)).toEqual(skeleton(render(poison(all, 'x'))));
    expect(page).not.toMatch(/[\u0000\u001b\u202e\u2066\u200b\ufeff\u2028]/);
  });

  it('has none for any text', () => {
    const plain = skeleton(render(poison(all, 'x')));
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(skeleton(render(poison(all, text)))).toEqual(plain);
    });
    fc.assert(property, { numRuns: 8 });
  });

  it('stays small when every text is huge', () => {
    expect(render(poison(all, '<'.repeat(1_000_000))).length).toBeLessThan(6_000_000);
  });

  it('stays small when everything happened thousands of times', () => {
    const busy = busyStory({ calls: 4000, processes: 600, files: 1500, hosts: 300 });
    expect(render(sampleReport([hostileSubject(busy)])).length).toBeLessThan(3_000_000);
  });

  it('loads nothing and runs nothing', () => {
    const page = render(all);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|embed|form|base)\b/i);
    expect(page).not.toMatch(/\b(?:src|srcset|action|xlink:href)=/i);
    for (const [, address = ''] of page.matchAll(/href="([^"]*)"/g)) expect(address).toMatch(/^#/);
  });

  it('links only to what is there, and names nothing twice', () => {
    const page = render(all);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, address] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(address);
  });

  it('never shows as good what is not known', () => {
    const { analysis } = stillbornSubject();
    expect(analysis?.verdict.band).toBe('unknown');
    const page = render(sampleReport([stillbornSubject()]));
    const hero = page.slice(page.indexOf('class="card verdict'), page.indexOf('class="coverage"'));
    expect(hero).toContain('Inconclusive');
    expect(hero).toContain('class="axis unknown"');
    expect(hero).not.toMatch(/class="[^"]*\bgood\b/);
  });

  it('shows one axis that is not known as such, although the rest is whole', () => {
    const subject = faultlessSubject(emptyStory);
    const { analysis } = subject;
    if (analysis === undefined) throw new Error('the sample was not run');
    const axes = { ...analysis.verdict.axes, exposure: { label: readRubric().unknown, because: [] } };
    const made = { ...subject, analysis: { ...analysis, verdict: { ...analysis.verdict, axes } } };
    const tones = [...render(sampleReport([made])).matchAll(/class="axis (\w+)"/g)].map(([, tone]) => tone);
    expect(tones).toEqual(['good', 'good', 'unknown']);
  });

  it('calls what passes inconclusive when not everything was seen', () => {
    const subject = faultlessSubject(emptyStory);
    const { analysis } = subject;
    if (analysis === undefined) throw new Error('the sample was not run');
    const shaky = { ...subject, analysis: { ...analysis, verdict: { ...analysis.verdict, isComplete: false } } };
    const page = render(sampleReport([shaky]));
    expect(page).toContain('<section class="card verdict unknown"');
    expect(page).not.toContain('Passes');
  });

  it('draws a proof from the call to its effect', () => {
    const page = render(sampleReport([weakSubject(story)]));
    const kinds = [...page.matchAll(/<li class="step (\w+)">/g)].map(([, kind]) => kind);
    expect(kinds).toEqual(['call', 'process', 'event', 'effect']);
  });

  it('tells findings worst first, and thousands of them by title', () => {
    const findings = Array.from({ length: 400 }, (_, at) =>
      sampleFinding({ rule: 'a/b', title: `finding ${at}`, severity: at === 399 ? 'critical' : 'medium' }),
    );
    const page = render(sampleReport([sampleSubject(emptyStory, { findings })]));
    expect(page.indexOf('finding 399')).toBeLessThan(page.indexOf('finding 12<'));
    expect(page.match(/<article class="finding/g)).toHaveLength(150);
    expect(page).toContain('250 further findings');
  });
});
