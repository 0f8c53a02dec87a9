import { severities } from '../../../base/finding-schema.ts';
import type { Detonation, LabReport, ReportFinding } from './schema.ts';

/** What all forms of a report say in the same words. */

export const evidenceWords: Readonly<Record<ReportFinding['evidence_type'], string>> = {
  behaviour: 'conduct',
  structural: 'structure',
  artifact: 'bytes in it',
};

export const evidenceNote =
  'Conduct was seen or is in the code; structure is how the file is built; bytes merely lie in it and may never be used.';

export function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power] ?? ''}`;
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Lists of equal things, such as the same rule in many inner files, as one. */
export interface FindingGroup {
  readonly finding: ReportFinding;
  readonly places: readonly string[];
  /** False where the one before it says the same. */
  readonly isBenignNew: boolean;
}

/** The best known first: what was done, then how it is built, then what merely lies there. */
const evidenceOrder = ['behaviour', 'structural', 'artifact'] as const;

function byWeight(left: ReportFinding, right: ReportFinding): number {
  return (
    severities.indexOf(right.severity) - severities.indexOf(left.severity) ||
    evidenceOrder.indexOf(left.evidence_type) - evidenceOrder.indexOf(right.evidence_type)
  );
}

function uniqueEvidence(evidence: ReportFinding['evidence']): ReportFinding['evidence'] {
  const known = new Map(evidence.map((each) => [`${each.where}\0${each.text}`, each]));
  return [...known.values()];
}

export function groupFindings(findings: readonly ReportFinding[]): readonly FindingGroup[] {
  const groups = new Map<string, { finding: ReportFinding; places: string[] }>();
  for (const finding of findings.toSorted(byWeight)) {
    const key = `${finding.rule}\0${finding.title}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { finding, places: finding.inside === null ? [] : [finding.inside] });
    else if (finding.inside !== null) known.places.push(finding.inside);
  }
  return [...groups.values()].map(({ finding, places }, at, all) => ({
    finding: { ...finding, evidence: uniqueEvidence(finding.evidence) },
    places,
    isBenignNew: all[at - 1]?.finding.benign !== finding.benign,
  }));
}

/** Those that only inform stand apart: they are many, and seldom why somebody reads on. */
export function splitGroups(groups: readonly FindingGroup[]): {
  readonly grave: readonly FindingGroup[];
  readonly informing: readonly FindingGroup[];
} {
  return {
    grave: groups.filter(({ finding }) => finding.severity !== 'info'),
    informing: groups.filter(({ finding }) => finding.severity === 'info'),
  };
}

/** What somebody would block or look up first. */
const firstTypes: readonly string[] = ['url', 'onion', 'webhook', 'domain', 'ipv4', 'ipv6', 'email'];
const most = 6;

export function bestIndicators({
  indicators,
  file,
  inner_files: inner,
}: Pick<LabReport, 'indicators' | 'file' | 'inner_files'>): LabReport['indicators'] {
  // `.sh` and `.zip` are ends of domains too: tools print the names of files that they were given.
  const own = new Set([file, ...inner].map(({ name }) => name.toLowerCase()));
  const worth = indicators.filter(
    ({ type, value, noise, confidence }) =>
      // Numbers of versions look like addresses too.
      noise === null &&
      firstTypes.includes(type) &&
      !own.has(value.toLowerCase()) &&
      (confidence > 0.5 || !type.startsWith('ip')),
  );
  const hosts = worth.filter(({ type }) => type === 'url').map(({ value }) => value);
  // A name that stands in an address above is said with it.
  const fresh = worth.filter(({ type, value }) => type === 'url' || !hosts.some((url) => url.includes(value)));
  return fresh
    .toSorted(
      (left, right) =>
        firstTypes.indexOf(left.type) - firstTypes.indexOf(right.type) || right.confidence - left.confidence,
    )
    .slice(0, most);
}

/** Long gaps hide what stands behind them, and most pages show them as one blank: they are spelled out. */
export function spellBlanks(text: string): string {
  return text.replace(/\p{Zs}{4,}/gu, (gap) => ` [${[...gap].length} blanks] `);
}

/** Breaks of a line become a mark, so that an excerpt of several lines can be read on one. */
export function oneLine(text: string): string {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', ' ').trim())
    .filter((line) => line !== '');
  return spellBlanks(lines.join(' \u23ce '));
}

/** The same thing many times in a row is one line with a number. */
export interface Moment {
  readonly entry: Detonation['timeline'][number];
  readonly times: number;
}

export function joinMoments(timeline: Detonation['timeline']): readonly Moment[] {
  const moments: { entry: Detonation['timeline'][number]; times: number }[] = [];
  for (const entry of timeline) {
    const last = moments.at(-1);
    const isSame =
      last !== undefined &&
      last.entry.kind === entry.kind &&
      last.entry.process === entry.process &&
      last.entry.text === entry.text;
    if (isSame) last.times += 1;
    else moments.push({ entry, times: 1 });
  }
  return moments;
}

export function techniques(findings: readonly ReportFinding[]): { attack: readonly string[]; mbc: readonly string[] } {
  const unique = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted();
  return {
    attack: unique(findings.flatMap(({ attack }) => attack)),
    mbc: unique(findings.flatMap(({ mbc }) => mbc)),
  };
}

/** 16 bytes a line, with what can be read beside it. */
export function hexLines(head: string, mostLines = 16): readonly string[] {
  const bytes = Buffer.from(head, 'hex');
  const lines: string[] = [];
  for (let at = 0; at < bytes.length && lines.length < mostLines; at += 16) {
    const part = bytes.subarray(at, at + 16);
    const hex = [...part].map((byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, 8).join(' ').padEnd(23);
    const right = hex.slice(8).join(' ').padEnd(23);
    const text = [...part].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(4, '0')}  ${left}  ${right}  ${text}`);
  }
  return lines;
}

/** Results that somebody has to know are not whole. */
export function gapsOf({ analysers, tools, evidence }: LabReport): readonly string[] {
  const ends = ['done', 'clean', 'findings', 'not-applicable'];
  return [
    ...(evidence.is_unchanged ? [] : ['the file is not what it was when this began: its hash has changed']),
    ...[...analysers.map((each) => ({ ...each, meaning: '' })), ...tools]
      .filter(({ status }) => !ends.includes(status))
      .map(({ id, status, notes, meaning }) => [`${id}: ${status}`, notes[0] ?? meaning].filter((part) => part !== ''))
      .map((parts) => parts.join(', ')),
  ];
}

/** Tools that nobody installed are many and all the same; what was left out for another reason is worth reading. */
export function splitNotRun({ not_run: all }: Pick<LabReport, 'not_run'>): {
  readonly absent: LabReport['not_run'];
  readonly others: LabReport['not_run'];
} {
  const isAbsent = ({ because }: LabReport['not_run'][number]): boolean => because.includes('not installed');
  return { absent: all.filter(isAbsent), others: all.filter((each) => !isAbsent(each)) };
}
