import { z } from 'zod';
import { severities } from '../../../../../base/finding-schema.ts';
import { readRules } from '../../../../../base/rules-folder.ts';
import type { Advisory, RangeEvent } from '../advisory.ts';
import { matchAdvisory } from '../match.ts';
import { type AdvisorySource, isFreshAt } from '../source.ts';

/** The advisories about MCP servers that come with Hotcell: selected and read one by one, never all there are. */

const version = z.string().min(1).max(64);

const entrySchema = z.strictObject({
  ecosystem: z.enum(['npm', 'PyPI', 'Go', 'GIT']),
  package: z.string().min(1),
  ids: z.array(z.string()),
  kind: z.enum(['vulnerability', 'malicious', 'unmaintained']),
  severity: z.enum(severities),
  cwe: z.array(z.string().regex(/^CWE-\d+$/)),
  summary: z.string().min(1).max(500),
  /** Empty when the affected versions are not known as versions; `note` says what is known. */
  affected: z.array(
    z.strictObject({ introduced: version, fixed: version.exactOptional(), lastAffected: version.exactOptional() }),
  ),
  note: z.string().exactOptional(),
  provenance: z.strictObject({
    confidence: z.enum(['verified-diff', 'feed', 'curated', 'single']),
    vulnerable: z.string().exactOptional(),
    fix: z.string().exactOptional(),
  }),
});

export const bundledSchema = z.strictObject({
  note: z.string(),
  /** What a confidence means. */
  confidence: z.record(z.string(), z.string()),
  updated: z.iso.date(),
  entries: z.array(entrySchema),
});

type Entry = z.infer<typeof entrySchema>;

function toAdvisory(entry: Entry): Advisory {
  const [first, ...aliases] = entry.ids;
  const events: readonly (readonly RangeEvent[])[] = entry.affected.map(({ introduced, fixed, lastAffected }) => [
    { introduced },
    ...(fixed === undefined ? [] : [{ fixed }]),
    ...(lastAffected === undefined ? [] : [{ lastAffected }]),
  ]);
  const type = entry.ecosystem === 'npm' ? ('SEMVER' as const) : ('ECOSYSTEM' as const);
  return {
    id: first ?? `${entry.kind}:${entry.ecosystem}:${entry.package}`,
    aliases,
    kind: entry.kind,
    summary: entry.note === undefined ? entry.summary : `${entry.summary} (${entry.note})`,
    severity: entry.severity,
    score: undefined,
    cwe: entry.cwe,
    affected: [
      {
        ecosystem: entry.ecosystem,
        name: entry.package,
        ranges: events.map((list) => ({ type, events: list })),
        versions: [],
      },
    ],
    withdrawn: undefined,
    modified: undefined,
    references: entry.ids.filter((id) => id.startsWith('GHSA-')).map((id) => `https://github.com/advisories/${id}`),
    provenance: `Hotcell's list of MCP advisories, ${entry.provenance.confidence}`,
  };
}

export interface BundledOptions {
  readonly mostDays?: number;
}

export function readBundled(): { readonly advisories: readonly Advisory[]; readonly updated: string } {
  const { entries, updated } = readRules('advisories/mcp.json', bundledSchema);
  return { advisories: entries.map(toAdvisory), updated };
}

export function bundledSource(options: BundledOptions = {}): AdvisorySource {
  const source = { id: 'bundled', title: 'MCP advisories that come with Hotcell' };
  return {
    ...source,
    ask: async ({ components, now }) => {
      const { advisories, updated } = readBundled();
      return {
        source: source.id,
        title: source.title,
        isReachable: true,
        because: undefined,
        dataAt: updated,
        isFresh: isFreshAt(updated, now, options.mostDays ?? 180),
        covers: [],
        matches: components.flatMap((component) =>
          advisories.flatMap((advisory) => matchAdvisory(component, advisory, source.id) ?? []),
        ),
        unanswered: [],
      };
    },
  };
}
