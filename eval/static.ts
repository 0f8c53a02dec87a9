import type { Finding } from '../src/base/finding-schema.ts';
import { severities } from '../src/base/finding-schema.ts';
import { isAtLeast } from '../src/base/report-schema.ts';
import { inspectCapabilitiesApart } from '../src/instruments/analyze/inspect/capabilities/apart.ts';
import type { Inspected } from '../src/instruments/analyze/inspect/contract.ts';
import { inspectPackage } from '../src/instruments/analyze/inspect/package/index.ts';
import { inspectSecrets } from '../src/instruments/analyze/inspect/secrets/index.ts';
import { inspectTaint } from '../src/instruments/analyze/inspect/taint/inspect.ts';
import { type CorpusEntry, readCorpus } from './corpus.ts';
import { showShare } from './interval.ts';
import { fetchPackage, relatedPackages } from './packages.ts';

/** Static analysis against the corpus: what is found, what is silent once fixed, what is loud without reason. */

const rulesOfClass: Readonly<Record<string, readonly string[]>> = {
  'command-injection': ['taint/command-injection', 'taint/argument-injection'],
  'path-traversal': ['taint/path-traversal', 'taint/path-symlink'],
  ssrf: ['taint/ssrf'],
  'sql-injection': ['taint/sql-injection', 'taint/sql-statement'],
};

interface Measured {
  readonly entry: CorpusEntry;
  readonly findings: readonly Finding[];
  readonly handlers: number;
  readonly via: string;
  readonly problem: string | undefined;
  readonly elapsedMs: number;
}

/** Everything else that a scan finds without asking anybody: it counts when a benign server is called bad. */
async function inspectOtherwise(unpacked: Inspected): Promise<readonly Finding[]> {
  const capabilities = await inspectCapabilitiesApart(unpacked);
  const secrets = inspectSecrets(unpacked);
  const about = inspectPackage(unpacked, { now: new Date() });
  return [...capabilities.findings, ...secrets.findings, ...about.findings];
}

async function measure(entry: CorpusEntry): Promise<Measured> {
  const started = Date.now();
  try {
    const unpacked = fetchPackage(entry.package, entry.version);
    let result = await inspectTaint(unpacked);
    let via = '';
    if (result.handlers.length === 0) {
      for (const related of relatedPackages(unpacked, entry.package)) {
        const other = await inspectTaint(fetchPackage(related.name, related.version));
        if (other.handlers.length === 0) continue;
        via = `${related.name}@${related.version}`;
        result = other;
        break;
      }
    }
    const others = await inspectOtherwise(unpacked);
    const problem = result.notAnalysed.map((finding) => finding.title).join('; ');
    return {
      entry,
      findings: [...result.findings, ...others],
      handlers: result.handlers.length,
      via,
      problem: problem === '' ? undefined : problem,
      elapsedMs: Date.now() - started,
    };
  } catch (error) {
    return {
      entry,
      findings: [],
      handlers: 0,
      via: '',
      problem: `could not be had: ${String(error).slice(0, 160)}`,
      elapsedMs: Date.now() - started,
    };
  }
}

function toolsOf(entry: CorpusEntry): readonly string[] {
  return (entry.vulnerable_tool ?? '')
    .split(';')
    .map((name) => name.trim().split(' ')[0] ?? '')
    .filter((name) => /^[\w-]+$/.test(name));
}

/** Findings of a class, at medium or above unless told otherwise; only those of the named tools when there are names. */
function hitsOf(
  measured: Measured,
  of: CorpusEntry,
  isRightTool: boolean,
  least: Finding['severity'] = 'medium',
): readonly Finding[] {
  const rules = rulesOfClass[of.class] ?? [];
  const tools = toolsOf(of);
  return measured.findings.filter(
    (finding) =>
      rules.includes(finding.rule) &&
      isAtLeast(finding.severity, least) &&
      (!isRightTool || tools.length === 0 || tools.some((tool) => finding.title.includes(`"${tool}"`))),
  );
}

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

function summary(measured: Measured): string {
  const counts = severities
    .toReversed()
    .map((severity) => `${measured.findings.filter((finding) => finding.severity === severity).length} ${severity}`);
  const notes = [measured.via === '' ? '' : `via ${measured.via}`, measured.problem ?? ''].filter(
    (note) => note !== '',
  );
  return `${measured.handlers} handlers, ${counts.join(', ')}, ${measured.elapsedMs} ms${notes.length === 0 ? '' : ` [${notes.join('; ')}]`}`;
}

export async function evaluateStatic(): Promise<void> {
  const entries = readCorpus().filter((entry) => entry.ecosystem === 'npm');
  const measured = new Map<string, Measured>();
  for (const entry of entries) {
    const one = await measure(entry);
    measured.set(entry.id, one);
    line(`${entry.role.padEnd(12)} ${entry.package}@${entry.version}: ${summary(one)}`);
  }
  reportRecall([...measured.values()]);
  reportTwins([...measured.values()], measured);
  reportBenign([...measured.values()]);
}

function reportRecall(all: readonly Measured[]): void {
  const vulnerable = all.filter(({ entry }) => entry.role === 'vulnerable' && rulesOfClass[entry.class] !== undefined);
  const any = vulnerable.filter((one) => hitsOf(one, one.entry, false).length > 0);
  const right = vulnerable.filter((one) => hitsOf(one, one.entry, true).length > 0);
  const packages = new Set(vulnerable.map(({ entry }) => entry.package));
  const found = [...packages].filter((name) =>
    vulnerable.filter(({ entry }) => entry.package === name).every((one) => right.includes(one)),
  );
  line('\nRecall');
  line(`  entries, any tool:     ${showShare(any.length, vulnerable.length)}`);
  line(`  entries, right tool:   ${showShare(right.length, vulnerable.length)}`);
  line(`  packages, right tool in every version: ${showShare(found.length, packages.size)}`);
  for (const one of vulnerable.filter((other) => !right.includes(other)))
    line(`  missed: ${one.entry.id} (${one.entry.class}, ${one.entry.vulnerable_tool ?? ''})`);
}

function reportTwins(all: readonly Measured[], byId: ReadonlyMap<string, Measured>): void {
  const pairs = all.flatMap((one) => {
    const twin = byId.get(one.entry.fixed_id ?? '');
    const isPair = one.entry.role === 'vulnerable' && rulesOfClass[one.entry.class] !== undefined && twin !== undefined;
    // A later release that is itself listed with the same weakness is no fixed twin.
    return isPair && twin.entry.class !== one.entry.class ? [{ one, twin }] : [];
  });
  const twins = new Map(pairs.map((pair) => [`${pair.twin.entry.id}/${pair.one.entry.class}`, pair]));
  const silent = [...twins.values()].filter(({ one, twin }) => hitsOf(twin, one.entry, true).length === 0);
  const heard = silent.filter(({ one }) => hitsOf(one, one.entry, true).length > 0);
  line('\nFixed twins, same rules silent for the same tool');
  line(`  twins:                 ${showShare(silent.length, twins.size)}`);
  line(`  of these, found before the fix: ${heard.length}`);
  const still = silent.filter(({ one, twin }) => hitsOf(twin, one.entry, true, 'info').length > 0);
  line(
    `  of these, with a finding below medium: ${still.length} (${still.map(({ twin }) => twin.entry.id).join(', ')})`,
  );
  for (const { one, twin } of twins.values()) {
    for (const finding of hitsOf(twin, one.entry, true))
      line(`  loud: ${twin.entry.id}: ${finding.severity} ${finding.title}`);
  }
}

function reportBenign(all: readonly Measured[]): void {
  const benign = all.filter(({ entry }) => entry.class === 'benign' && entry.role !== 'by-design-dangerous');
  const loud = benign.filter((one) => one.findings.some((finding) => isAtLeast(finding.severity, 'high')));
  const blind = all.filter((one) => one.handlers === 0);
  line('\nWell-behaved servers with a finding at high or above');
  line(`  servers:               ${showShare(loud.length, benign.length)}`);
  for (const one of loud) {
    for (const finding of one.findings.filter((other) => isAtLeast(other.severity, 'high')))
      line(
        `  loud: ${one.entry.id}: ${finding.severity} ${finding.title} (${finding.locations.at(-1)?.path}:${finding.locations.at(-1)?.line})`,
      );
  }
  line(
    `\nNo handler found: ${blind.length} of ${all.length}${blind.length === 0 ? '' : ` (${blind.map(({ entry }) => entry.id).join(', ')})`}`,
  );
}
