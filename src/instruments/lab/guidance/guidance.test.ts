import { describe, expect, it } from 'vitest';
import { labInstructions } from './instructions.ts';
import { iocTypes, osintGuidance, osintTopics, readOsintRules } from './osint.ts';
import { readReportRules, reportGuidance, reportTemplate, reportTopics } from './report.ts';

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const itemsOf = (
  topic: 'anti_patterns' | 'review' | 'frameworks' | 'profiles' | 'triage_checklist',
): readonly number[] => readReportRules().topics[topic].groups.map(({ items }) => items.length);

describe('the report', () => {
  it('has fifteen sections, three of them optional', () => {
    const { sections } = readReportRules();
    expect(sections).toHaveLength(15);
    expect(sections.filter(({ isOptional }) => isOptional)).toHaveLength(3);
  });

  it('has a template with the same sections, optional ones marked', () => {
    const { template } = reportTemplate();
    const headings = [...template.matchAll(/^## \d+\. (.*)$/gm)].map(([, title]) => title);
    expect(headings).toEqual(
      readReportRules().sections.map(({ title, isOptional }) => (isOptional ? `${title} (optional)` : title)),
    );
    expect(template.length).toBeLessThan(16_000);
  });

  it('counts what it says', () => {
    expect(itemsOf('anti_patterns')).toEqual([16]);
    expect(itemsOf('frameworks')).toEqual([6]);
    expect(itemsOf('profiles')).toEqual([2]);
    expect(itemsOf('triage_checklist')).toEqual([6, 3, 3]);
    expect(itemsOf('review')).toHaveLength(9);
    expect(itemsOf('review')[0]).toBe(9);
  });

  it.each(reportTopics.filter((topic) => topic !== 'all'))('the topic %s is short, and part of all', (topic) => {
    const { guidelines } = reportGuidance(topic);
    expect(sizeOf(guidelines)).toBeGreaterThan(200);
    expect(sizeOf(guidelines)).toBeLessThanOrEqual(12_000);
    expect(reportGuidance().guidelines).toContain(guidelines);
  });

  it('is not too long altogether', () => expect(sizeOf(reportGuidance('all'))).toBeLessThanOrEqual(40_000));
});

describe('looking things up', () => {
  it('knows 36 services and ten rules', () => {
    expect(osintGuidance('resources').resources).toHaveLength(36);
    expect(new Set(osintGuidance('resources').resources?.map(({ service }) => service)).size).toBe(36);
    expect(osintGuidance('tradecraft').tradecraft).toHaveLength(10);
    expect(Object.keys(osintGuidance('workflow').workflow_by_ioc ?? {})).toHaveLength(7);
  });

  it.each(osintTopics)('the topic %s is bounded', (topic) => {
    expect(sizeOf(osintGuidance(topic))).toBeLessThanOrEqual(topic === 'all' ? 40_000 : 14_000);
  });

  it.each(iocTypes)('filters for %s', (type) => {
    const { resources = [], workflow_by_ioc = {} } = osintGuidance('all', type);
    expect(resources.length).toBeGreaterThan(0);
    expect(resources.length).toBeLessThan(36);
    for (const { ioc_types } of resources) expect(ioc_types).toContain(type);
    expect(Object.keys(workflow_by_ioc)).toEqual(type === 'hash' ? ['hash', 'packed'] : [type]);
  });

  it('says truly what can be asked without a key', () => {
    const { services, access_guidance } = readOsintRules();
    for (const type of iocTypes) {
      const keyless = services.filter(
        ({ ai_access, ioc_types }) => ai_access === 'api_nokey' && ioc_types.includes(type),
      );
      expect(access_guidance.keyless_coverage[type].toSorted(), type).toEqual(
        keyless.map(({ service }) => service).toSorted(),
      );
    }
  });

  it('leaves out what was not asked for', () => {
    expect(osintGuidance('tradecraft')).not.toHaveProperty('resources');
    expect(osintGuidance('resources')).not.toHaveProperty('tradecraft');
    expect(osintGuidance('resources')).toHaveProperty('disclosure_legend');
  });
});

describe('instructions', () => {
  it('are short and say what matters', () => {
    const text = labInstructions();
    expect(text.length).toBeLessThanOrEqual(1500);
    for (const word of ['untrusted', 'infected', 'never change', 'file name', 'artifact is not behaviour', 'job'])
      expect(text).toContain(word);
  });
});
