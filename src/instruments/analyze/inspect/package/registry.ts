import type { Finding } from '../../../../base/finding-schema.ts';
import { type Claim, excerpt, makeFinding, type Rule } from '../rule.ts';
import type { RegistryRecord, Release } from './registry-record.ts';
import { packageRules } from './rules.ts';

/** What the history of a package in its registry gives away. */

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const youngVersionMs = 72 * hourMs;
const youngPackageMs = 30 * dayMs;
const silenceMs = 365 * dayMs;
const jumpOfMajors = 10;

const timeOf = ({ publishedAt }: Release): number => (publishedAt === undefined ? Number.NaN : Date.parse(publishedAt));

/** Calendar versions change their first number from 0.6 to 2025 and mean nothing by it. */
const isCalendar = (major: number): boolean => major >= 2000 && major < 2100;

function majorOf({ version }: Release): number {
  return Number.parseInt(/^v?(\d{1,9})/.exec(version)?.[1] ?? '', 10);
}

export function inspectRegistry(record: RegistryRecord, now: Date, path: string | undefined): readonly Finding[] {
  const dated = record.releases
    .filter((release) => !Number.isNaN(timeOf(release)))
    .sort((left, right) => timeOf(left) - timeOf(right));
  const at = dated.findIndex(({ version }) => version === record.version);
  const release = dated[at] ?? record.releases.find(({ version }) => version === record.version);
  if (release === undefined) return [];
  const before = at > 0 ? dated[at - 1] : undefined;
  const earlier = at > 0 ? dated.slice(0, at) : [];
  const purl = `${record.ecosystem}:${record.name}@${record.version}`;
  const say = (rule: Rule, text: string, more: Partial<Claim> = {}): Finding =>
    makeFinding(rule, {
      identity: [purl],
      locations: path === undefined ? [] : [{ path }],
      evidence: [{ kind: 'package', ref: purl, excerpt: excerpt(text) }],
      ...more,
    });
  const findings: Finding[] = [];
  if (record.withdrawn !== undefined) findings.push(say(packageRules.withdrawn, record.withdrawn));
  if (release.hasProvenance === false && before?.hasProvenance === true) {
    findings.push(say(packageRules.provenanceLost, `${before.version} has provenance, ${release.version} has none`));
  } else if (release.hasProvenance === false) {
    findings.push(
      say(
        packageRules.provenance,
        release.hasSignature === true ? 'signed by the registry, no provenance' : 'neither provenance nor signature',
      ),
    );
  }
  const age = now.getTime() - timeOf(release);
  const wholeAge = dated[0] === undefined ? Number.NaN : now.getTime() - timeOf(dated[0]);
  if (age < youngVersionMs)
    findings.push(say(packageRules.fresh, `${release.version} was published ${release.publishedAt}`));
  else if (wholeAge < youngPackageMs)
    findings.push(say(packageRules.fresh, `the package was first published ${dated[0]?.publishedAt}`));
  if (before !== undefined) {
    const [from, to] = [majorOf(before), majorOf(release)];
    const isJump = to - from >= jumpOfMajors && !isCalendar(to);
    const isNewHand =
      release.publisher !== undefined && earlier.every(({ publisher }) => publisher !== release.publisher);
    const wasSilent = timeOf(release) - timeOf(before) > silenceMs;
    if (isJump) findings.push(say(packageRules.jump, `from ${before.version} to ${release.version}`));
    else if (isNewHand && wasSilent)
      findings.push(
        say(
          packageRules.jump,
          `${release.version} came from ${release.publisher} more than a year after ${before.version}`,
        ),
      );
  }
  return findings;
}
