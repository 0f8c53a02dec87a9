import { describe, expect, it } from 'vitest';
import { skeleton } from '../../../src/evidence/renderers/html/sample-poison.ts';
import { type ReportFormat, renderLabReport } from '../../../src/instruments/lab/report/index.ts';
import { type LabReport, labReportSchema } from '../../../src/instruments/lab/report/schema.ts';
import { poisonReport, poisons } from './poison.ts';
import { sampleFinding, sampleLabReport } from './sample-lab-report.ts';

/** What a sample wrote stays text, in every form that a report takes. */

const huge = poisonReport(sampleLabReport(), '<'.repeat(40_000), true);
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff\u2028]/;

function render(report: LabReport, format: ReportFormat, width = 100): Promise<string> {
  return renderLabReport(report, format, { width, style: null });
}

const cases = poisons.flatMap(({ is, text }) => [false, true].map((withKeys) => ({ is, text, withKeys })));

describe('a report of the lab', () => {
  it('is valid, and is the same after JSON', async () => {
    const report = labReportSchema.parse(sampleLabReport());
    expect(labReportSchema.parse(JSON.parse(await render(report, 'json')))).toEqual(report);
  });

  it.each(cases)('stays valid JSON with $is (names of facts too: $withKeys)', async ({ text, withKeys }) => {
    const report = poisonReport(sampleLabReport(), text, withKeys);
    expect(labReportSchema.safeParse(JSON.parse(await render(report, 'json'))).success).toBe(true);
  });
});

/** A long text is folded away where a short one stands open: both are what our own source wrote. */
const knownTags = Promise.all(
  ['x', 'x '.repeat(1500)].map((word) => render(poisonReport(sampleLabReport(), word, false), 'html')),
).then((pages) => new Set(pages.flatMap(skeleton)));

describe('a report as HTML', () => {
  it.each(cases)('has no element and no attribute that a sample wrote: $is, $withKeys', async ({ text, withKeys }) => {
    const known = await knownTags;
    const page = await render(poisonReport(sampleLabReport(), text, withKeys), 'html');
    expect(skeleton(page).filter((tag) => !known.has(tag))).toEqual([]);
    expect(page).not.toMatch(controls);
  });

  it('loads nothing, runs nothing and links only to what is there', async () => {
    const page = await render(sampleLabReport(), 'html');
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|embed|form|base)\b/i);
    expect(page).not.toMatch(/\b(?:src|srcset|action|xlink:href)=/i);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const addresses = [...page.matchAll(/href="([^"]*)"/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) expect(ids).toContain(address.replace(/^#/, ''));
  });

  it('has a style of its own only where a place in the file is drawn', async () => {
    const page = await render(sampleLabReport(), 'html');
    const styles = [...page.matchAll(/ style="([^"]*)"/g)].map(([, style]) => style);
    expect(styles).toEqual(['left:10.000%;width:40.000%', 'left:50.000%;width:40.000%']);
  });

  it('says it when the evidence changed or something did not come to its end', async () => {
    const report = sampleLabReport();
    const changed = { ...report, evidence: { ...report.evidence, is_unchanged: false } };
    const page = await render(changed, 'html');
    expect(page).toContain('its hash has changed while it was looked at');
    expect(page).toContain('exiftool: failed, it ended with code 1');
    expect(page).toContain('telemetry is not complete: silence proves nothing');
  });

  it('stays small when every text is huge and there are thousands of findings', async () => {
    expect((await render(huge, 'html')).length).toBeLessThan(2_000_000);
    const findings = Array.from({ length: 400 }, (_, at) => sampleFinding({ rule: `a.${at}` }));
    const page = await render(sampleLabReport({ findings }), 'html');
    expect(page.length).toBeLessThan(2_000_000);
    expect(page).toContain('380 more');
  });
});

describe('a report on a terminal', () => {
  it.each(cases)('moves no cursor and has no line that is too long: $is, $withKeys', async ({ text, withKeys }) => {
    const shown = await render(poisonReport(sampleLabReport(), text, withKeys), 'terminal', 90);
    expect(shown).not.toMatch(controls);
    expect(shown.split('\n').filter((line) => [...line].length > 90)).toEqual([]);
  });

  it('says first what it is and where to look', async () => {
    const lines = (await render(sampleLabReport(), 'terminal')).split('\n');
    expect(lines[0]).toContain('invoice.exe');
    expect(lines.slice(0, 8).join('\n')).toContain('http://marker.example.com/a');
    // A name that stands in the address, and a number that may be a version, are not said again.
    expect(lines.slice(0, 8).join('\n')).not.toContain('1.2.3.4');
  });

  it('tells the gravest first, what was done before how it is built, and what only informs apart', async () => {
    const shown = await render(sampleLabReport(), 'terminal');
    const order = [
      'A decoy left',
      'It opened a decoy',
      'Can write code',
      'Names of functions',
      'It looks functions up',
    ];
    const places = order.map((title) => shown.indexOf(title, shown.indexOf('What was seen')));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places[0]).toBeGreaterThan(0);
    expect(shown.split('It looks functions up by name').length - 1).toBe(1);
    expect(shown).toContain('in inner.exe, other.exe');
  });

  it('shows tables, decoded layers and what a technique is called', async () => {
    const shown = await render(sampleLabReport(), 'terminal');
    for (const part of [
      'T1055 Process Injection',
      'layer 1: base64',
      'echo two',
      'KERNEL32.dll',
      'connect',
      '(2 times)',
    ])
      expect(shown).toContain(part);
    expect(shown).toContain('2020-09-13T12:26:40Z, which is not plausible');
    expect(shown).toMatch(/is signed +no/);
  });

  it.each(['terminal', 'markdown', 'html'] as const)('shows the code of macros as %s', async (format) => {
    const shown = await render(sampleLabReport(), format);
    expect(shown).toContain('macro Module1');
    expect(shown).toContain('Sub AutoOpen()');
    expect(shown).toContain('  x = 1');
    const { texts: _, ...without } = sampleLabReport();
    expect(await render(without, format)).not.toContain('Code and text');
  });

  it('stays short when every text is huge', async () => {
    expect((await render(huge, 'terminal')).length).toBeLessThan(100_000);
  });
});

describe('a report as Markdown', () => {
  it.each(cases)('has no markup that a sample wrote: $is, $withKeys', async ({ text, withKeys }) => {
    const shown = await render(poisonReport(sampleLabReport(), text, withKeys), 'markdown');
    expect(shown).not.toMatch(controls);
    const outside = shown.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/(?<!\\)<(?!!-- -->)|(?<!\\)\]\(|(?<!\\)`|[a-z](?<!\\):\/\//);
    const rows = outside.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.length).toBeGreaterThan(10);
    const heads = outside.split('\n').filter((line) => line.startsWith('#'));
    const plain = (await render(poisonReport(sampleLabReport(), 'x', withKeys), 'markdown')).replace(
      /^(`{3,})text\n[\s\S]*?\n\1$/gm,
      '',
    );
    if (text !== '') expect(heads.length).toBe(plain.split('\n').filter((line) => line.startsWith('#')).length);
  });

  it('stays small when every text is huge', async () => {
    expect((await render(huge, 'markdown')).length).toBeLessThan(400_000);
  });
});

interface StixObject {
  readonly type: string;
  readonly id: string;
  readonly spec_version?: string;
  readonly pattern?: string;
  readonly [key: string]: unknown;
}

function parseBundle(text: string): {
  readonly type: string;
  readonly id: string;
  readonly objects: readonly StixObject[];
} {
  return JSON.parse(text);
}

describe('a report as STIX', () => {
  const id = /^[a-z0-9-]+--[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

  it.each(cases)('is a bundle whose patterns hold together: $is, $withKeys', async ({ text, withKeys }) => {
    const poisoned = poisonReport(sampleLabReport(), text, withKeys);
    // The types of indicators are words of ours.
    const indicators = poisoned.indicators.map((each, at) => ({
      ...each,
      type: sampleLabReport().indicators[at]?.type ?? 'url',
    }));
    const bundle = parseBundle(await render({ ...poisoned, indicators }, 'stix'));
    expect(bundle.type).toBe('bundle');
    expect(bundle.id).toMatch(id);
    const known = new Set(bundle.objects.map((each) => each.id));
    expect(known.size).toBe(bundle.objects.length);
    for (const object of bundle.objects) {
      expect(object.id).toMatch(id);
      expect(object.id.startsWith(`${object.type}--`)).toBe(true);
      expect(object.spec_version).toBe('2.1');
      if (object.pattern !== undefined)
        expect(object.pattern).toMatch(/^\[[A-Za-z0-9:_.'() -]+ = '(?:[^'\\]|\\.)*'(?: (?:AND|OR) [^\]]*)?\]$/su);
      for (const reference of [object.source_ref, object.target_ref].filter((each) => each !== undefined))
        expect(known.has(String(reference))).toBe(true);
    }
  });

  it('has every indicator, and is the same bundle for the same report', async () => {
    const text = await render(sampleLabReport(), 'stix');
    expect(text).toBe(await render(sampleLabReport(), 'stix'));
    for (const { value } of sampleLabReport().indicators) expect(text).toContain(value);
    expect(text).toContain('2026-01-02T03:04:05.000Z');
  });
});
