import { z } from 'zod';
import { readRules } from '../../../base/rules-folder.ts';

export const osintTopics = ['all', 'tradecraft', 'workflow', 'access', 'resources'] as const;
export type OsintTopic = (typeof osintTopics)[number];

export const iocTypes = ['hash', 'url', 'domain', 'ip', 'family', 'host_artifact'] as const;
export type IocType = (typeof iocTypes)[number];

const disclosures = ['none', 'vendor', 'public'] as const;

const serviceSchema = z.strictObject({
  service: z.string(),
  description: z.string(),
  ioc_types: z.array(z.enum(iocTypes)).min(1),
  access: z.enum(['free', 'free_account', 'freemium']),
  ai_access: z.enum(['api_nokey', 'api_key', 'web']),
  query_disclosing: z.enum(disclosures),
  content_disclosing: z.enum(disclosures),
  categories: z.array(z.string()).min(1),
});
export type OsintService = z.output<typeof serviceSchema>;

const legend = z.strictObject({ none: z.string(), vendor: z.string(), public: z.string() });

const fileSchema = z.strictObject({
  version: z.string(),
  date: z.string(),
  header: z.string(),
  scope: z.string(),
  tradecraft: z.array(z.strictObject({ id: z.string(), title: z.string(), text: z.string() })),
  workflow_by_ioc: z.record(z.enum([...iocTypes, 'packed']), z.array(z.string()).min(1)),
  access_guidance: z.strictObject({
    levels: z.record(z.string(), z.string()),
    ai_access: z.record(z.string(), z.string()),
    keyless_coverage: z.record(z.enum(iocTypes), z.array(z.string())),
    notes: z.array(z.string()),
  }),
  disclosure_legend: z.strictObject({ query_disclosing: legend, content_disclosing: legend }),
  services: z.array(serviceSchema),
  notes: z.array(z.string()),
});
type OsintRules = z.output<typeof fileSchema>;

export function readOsintRules(): OsintRules {
  return readRules('lab/guidance/osint.json', fileSchema);
}

export interface OsintGuidance {
  readonly topic: OsintTopic;
  readonly ioc_type: IocType | null;
  readonly version: string;
  readonly header: string;
  readonly scope: string;
  readonly tradecraft?: OsintRules['tradecraft'];
  readonly workflow_by_ioc?: Readonly<Record<string, readonly string[]>>;
  readonly access_guidance?: OsintRules['access_guidance'];
  readonly disclosure_legend?: OsintRules['disclosure_legend'];
  readonly resources?: readonly OsintService[];
  readonly notes: readonly string[];
}

/** Packed files are asked about by hash. */
function workflowsFor(rules: OsintRules, type: IocType | undefined): Readonly<Record<string, readonly string[]>> {
  if (type === undefined) return rules.workflow_by_ioc;
  const one = { [type]: rules.workflow_by_ioc[type] };
  return type === 'hash' ? { ...one, packed: rules.workflow_by_ioc.packed } : one;
}

export function osintGuidance(topic: OsintTopic = 'all', type?: IocType): OsintGuidance {
  const rules = readOsintRules();
  const isAsked = (...topics: readonly OsintTopic[]): boolean => topic === 'all' || topics.includes(topic);
  const services = rules.services.filter(({ ioc_types }) => type === undefined || ioc_types.includes(type));
  return {
    topic,
    ioc_type: type ?? null,
    version: rules.version,
    header: rules.header,
    scope: rules.scope,
    ...(isAsked('tradecraft') ? { tradecraft: rules.tradecraft } : {}),
    ...(isAsked('workflow') ? { workflow_by_ioc: workflowsFor(rules, type) } : {}),
    ...(isAsked('access') ? { access_guidance: rules.access_guidance } : {}),
    ...(isAsked('access', 'resources') ? { disclosure_legend: rules.disclosure_legend } : {}),
    ...(isAsked('resources') ? { resources: services } : {}),
    notes: rules.notes,
  };
}
