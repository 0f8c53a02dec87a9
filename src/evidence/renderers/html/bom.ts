import { z } from 'zod';
import { cut, join, type Markup, markup, nothing } from './markup.ts';
import { chip, count, longTable, section } from './pieces.ts';
import type { Tone } from './tones.ts';

/** What it is made of. The document is read leniently: it may be of another hand. */

const licenceSchema = z.union([
  z.object({ expression: z.string() }).transform(({ expression }) => expression),
  z
    .object({ license: z.object({ id: z.string().optional(), name: z.string().optional() }) })
    .transform(({ license: { id, name } }) => id ?? name ?? ''),
]);

const componentSchema = z.object({
  'bom-ref': z.string().optional(),
  group: z.string().optional(),
  name: z.string(),
  version: z.string().optional(),
  scope: z.string().optional(),
  licenses: z.array(licenceSchema).catch([]).optional(),
});
type Component = z.infer<typeof componentSchema>;

const vulnerabilitySchema = z.object({
  id: z.string(),
  ratings: z
    .array(z.object({ severity: z.string().optional(), score: z.number().optional() }))
    .catch([])
    .optional(),
  description: z.string().optional(),
  recommendation: z.string().optional(),
  affects: z
    .array(z.object({ ref: z.string() }))
    .catch([])
    .optional(),
});
type Vulnerability = z.infer<typeof vulnerabilitySchema>;

/** The worst first. */
const tones: ReadonlyMap<string, Tone> = new Map([
  ['critical', 'critical'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
  ['none', 'info'],
]);
const shown = 12;
const mostListed = 3000;

function readList<T>(value: unknown, schema: z.ZodType<T>): readonly T[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    const parsed = schema.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });
}

function nameOf({ group, name, version }: Component): string {
  return `${group === undefined ? '' : `${group}/`}${name}${version === undefined ? '' : ` ${version}`}`;
}

function severityOf({ ratings }: Vulnerability): string {
  return ratings?.[0]?.severity ?? 'unknown';
}

const worst = [...tones.keys()];

function rank(vulnerability: Vulnerability): number {
  const at = worst.indexOf(severityOf(vulnerability));
  return at === -1 ? worst.length : at;
}

function vulnerable(vulnerabilities: readonly Vulnerability[], components: readonly Component[]): Markup {
  const names = new Map(components.map((component) => [component['bom-ref'] ?? '', nameOf(component)]));
  const rows = vulnerabilities
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, mostListed)
    .map((each) => [
      chip(severityOf(each), tones.get(severityOf(each)) ?? 'unknown'),
      markup`<code>${cut(each.id, 80)}</code>`,
      join(
        (each.affects ?? []).slice(0, 5).map(({ ref }) => markup`<code>${cut(names.get(ref) ?? ref, 160)}</code>`),
        ', ',
      ),
      markup`${cut(each.description ?? '', 240)} <span class="faint">${cut(each.recommendation ?? '', 160)}</span>`,
    ]);
  const columns = [{ title: 'severity' }, { title: 'id' }, { title: 'in' }, { title: 'what' }];
  return longTable({ columns }, rows, shown, 'known vulnerabilities');
}

function licencesOf(components: readonly Component[]): Markup {
  const counts = Map.groupBy(
    components.flatMap(({ licenses }) =>
      licenses === undefined || licenses.length === 0 ? ['no licence told'] : licenses,
    ),
    (licence) => licence,
  );
  const most = [...counts].toSorted(([, one], [, other]) => other.length - one.length).slice(0, 16);
  return markup`<p>${most.map(([licence, all]) => markup`${chip(markup`${cut(licence, 60)} <b>${all.length}</b>`)} `)}</p>`;
}

export function bomSection(bom: object | null | undefined, prefix: string): Markup {
  if (bom === null || bom === undefined) return nothing;
  const { components: listed, vulnerabilities: known } = bom as { components?: unknown; vulnerabilities?: unknown };
  const components = readList(listed, componentSchema);
  const vulnerabilities = readList(known, vulnerabilitySchema);
  if (components.length === 0 && vulnerabilities.length === 0) return nothing;
  const affected = new Set(vulnerabilities.flatMap(({ affects }) => (affects ?? []).map(({ ref }) => ref)));
  const rows = components
    .toSorted((one, other) => Number(affected.has(other['bom-ref'] ?? '')) - Number(affected.has(one['bom-ref'] ?? '')))
    .slice(0, mostListed)
    .map((component) => [
      markup`<code>${cut(nameOf(component), 200)}</code>`,
      cut((component.licenses ?? []).join(', '), 120),
      affected.has(component['bom-ref'] ?? '') ? chip('vulnerable', 'high') : (component.scope ?? ''),
    ]);
  const list = longTable(
    { columns: [{ title: 'component' }, { title: 'licence' }, { title: 'is' }], whenNarrow: 'line' },
    rows,
    0,
    'All components',
  );
  const note = `${count(components.length, 'component')}, ${count(affected.size, 'component')} with ${count(vulnerabilities.length, 'known vulnerability', 'known vulnerabilities')}.`;
  return section(
    `${prefix}-bom`,
    'What it is made of',
    markup`${vulnerable(vulnerabilities, components)}${licencesOf(components)}${list}`,
    note,
  );
}
