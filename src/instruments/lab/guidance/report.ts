import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readRules, rulesFile } from '../../../base/rules-folder.ts';

export const reportTopics = [
  'all',
  'sections',
  'confidence',
  'capabilities',
  'pyramid_of_pain',
  'anti_patterns',
  'review',
  'writing',
  'frameworks',
  'profiles',
  'triage_checklist',
] as const;
export type ReportTopic = (typeof reportTopics)[number];
type WrittenTopic = Exclude<ReportTopic, 'all' | 'sections'>;

const topicSchema = z.strictObject({
  title: z.string(),
  intro: z.string(),
  groups: z
    .array(
      z.strictObject({
        title: z.string(),
        items: z.array(z.strictObject({ name: z.string(), text: z.string() })).min(1),
      }),
    )
    .min(1),
});

const writtenTopics = reportTopics.filter((topic): topic is WrittenTopic => topic !== 'all' && topic !== 'sections');

const fileSchema = z.strictObject({
  version: z.string(),
  optional_section_convention: z.string(),
  notes: z.array(z.string()),
  sections: z.array(
    z.strictObject({
      title: z.string(),
      isOptional: z.boolean(),
      purpose: z.string(),
      fields: z.array(z.string()).min(1),
    }),
  ),
  topics: z.record(z.enum(writtenTopics), topicSchema),
});
type ReportRules = z.output<typeof fileSchema>;

export function readReportRules(): ReportRules {
  return readRules('lab/guidance/report.json', fileSchema);
}

export interface ReportTemplate {
  readonly version: string;
  /** Markdown with hints in angle brackets. */
  readonly template: string;
  readonly optional_section_convention: string;
  readonly notes: readonly string[];
}

export function reportTemplate(): ReportTemplate {
  const { version, optional_section_convention, notes } = readReportRules();
  const template = readFileSync(rulesFile('lab/guidance/report-template.md'), 'utf8');
  return { version, template, optional_section_convention, notes };
}

function renderSections({ sections }: ReportRules): string {
  const lines = sections.map(
    ({ title, isOptional, purpose, fields }, at) =>
      `${at + 1}. **${title}**${isOptional ? ' (optional)' : ''}: ${purpose} Has to say: ${fields.join(', ')}.`,
  );
  return ['# Sections', '', ...lines].join('\n');
}

function renderTopic({ title, intro, groups }: z.output<typeof topicSchema>): string {
  const parts = groups.flatMap((group) => [
    '',
    `## ${group.title}`,
    '',
    ...group.items.map(({ name, text }) => `- **${name}**: ${text}`),
  ]);
  return [`# ${title}`, '', intro, ...parts].join('\n');
}

export interface ReportGuidance {
  readonly topic: ReportTopic;
  readonly version: string;
  /** Markdown. */
  readonly guidelines: string;
  readonly optional_section_convention: string;
  readonly notes: readonly string[];
}

export function reportGuidance(topic: ReportTopic = 'all'): ReportGuidance {
  const rules = readReportRules();
  const render = (one: Exclude<ReportTopic, 'all'>): string =>
    one === 'sections' ? renderSections(rules) : renderTopic(rules.topics[one]);
  const chosen = reportTopics.filter((one) => one !== 'all' && (topic === 'all' || one === topic)) as readonly Exclude<
    ReportTopic,
    'all'
  >[];
  return {
    topic,
    version: rules.version,
    guidelines: chosen.map(render).join('\n\n'),
    optional_section_convention: rules.optional_section_convention,
    notes: rules.notes,
  };
}
