import { evidenceClasses, type Finding, findingId, severities } from '../../../base/finding-schema.ts';
import { asObject, asString, asStrings, isObject } from '../../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Aim, JsonValue, Parsed, ScanFinding, ScanOutput } from '../contract.ts';
import { placeOf } from '../place.ts';
import { axisOf } from './axis.ts';
import { longestLineBytes } from './write-lines.ts';

/** Reads what an auditor wrote. It ran next to a target that may have got hold of it: every line may be garbage. */

const most = { lines: 20_000, findings: 5000, notes: 100, text: 4000, note: 1000 } as const;
const rulePattern = /^[a-z0-9]+(?:[-/][a-z0-9]+)*$/;
const cwePattern = /^CWE-\d{1,6}$/;

/** Lines and tabs stay, everything else that cannot be seen is spelled out. */
function clean(text: string | undefined, longest: number): string {
  const shown = forTerminal(untrusted((text ?? '').slice(0, longest), longest * 4), { keepLines: true });
  return shown.length > longest ? `${shown.slice(0, longest - 1)}…` : shown;
}

const oneOf = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((item) => item === value);

const deepest = 6;
const widest = 500;

function cleanValue(value: unknown, depth = 0): JsonValue {
  if (typeof value === 'string') return clean(value, most.text);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || depth >= deepest) return null;
  if (Array.isArray(value)) return value.slice(0, widest).map((item) => cleanValue(item, depth + 1));
  const entries = Object.entries(value).slice(0, widest);
  return Object.fromEntries(entries.map(([key, item]) => [clean(key, 200), cleanValue(item, depth + 1)]));
}

function readFinding(value: unknown): ScanFinding | null {
  const given = asObject(value);
  const rule = asString(given.rule) ?? '';
  const severity = oneOf(severities, given.severity);
  const evidenceClass = oneOf(evidenceClasses, given.evidence_class);
  const title = clean(asString(given.title), 256).replaceAll(/\s+/g, ' ').trim();
  if (rule.length > 96 || !rulePattern.test(rule) || severity === undefined || evidenceClass === undefined) return null;
  if (title === '') return null;
  return {
    kind: 'finding',
    rule,
    title,
    severity,
    at: clean(asString(given.at), 2048),
    detail: clean(asString(given.detail), most.text),
    evidence: clean(asString(given.evidence), most.text),
    remediation: clean(asString(given.remediation), 2048),
    cwe: asStrings(given.cwe)
      .filter((id) => cwePattern.test(id))
      .slice(0, 8),
    repro: clean(asString(given.repro), 4096),
    evidence_class: evidenceClass,
  };
}

function readFact(given: Readonly<Record<string, unknown>>): ScanFinding | null {
  const name = asString(given.name);
  return name === undefined || name === ''
    ? null
    : { kind: 'fact', name: clean(name, 100), value: cleanValue(given.value) };
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0, count = 0; at < bytes.length && count < most.lines; count += 1) {
    const end = bytes.indexOf(10, at);
    yield bytes.subarray(at, end === -1 ? bytes.length : end);
    at = end === -1 ? bytes.length : end + 1;
  }
}

function parseLine(line: Buffer): unknown {
  if (line.length > longestLineBytes) return undefined;
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

export function parseAuditLines(output: ScanOutput): Parsed {
  const findings: ScanFinding[] = [];
  const notes: string[] = [];
  let strange = 0;
  let dropped = 0;
  let isEnded = false;
  const keep = (finding: ScanFinding | null): void => {
    if (finding === null) strange += 1;
    else if (findings.length < most.findings) findings.push(finding);
    else dropped += 1;
  };
  for (const line of linesOf(output.stdout)) {
    if (line.length === 0) continue;
    const value = parseLine(line);
    const type = isObject(value) ? value.type : undefined;
    if (!isObject(value)) strange += 1;
    else if (type === 'finding') keep(readFinding(value.finding));
    else if (type === 'fact') keep(readFact(value));
    else if (type === 'note') {
      if (notes.length < most.notes) notes.push(clean(asString(value.text), most.note));
    } else if (type === 'end') isEnded = true;
    else if (type !== 'progress') strange += 1;
  }
  if (strange > 0) notes.push(`${strange} lines of the auditor could not be read`);
  if (dropped > 0) notes.push(`${dropped} findings more than ${most.findings} are left out`);
  if (!isEnded && output.isWhole) notes.push('the auditor did not come to its end');
  return { findings, notes };
}

/** The same as findings of Hotcell. What is no finding of an auditor is left out. */
export function judgeAudit(findings: readonly ScanFinding[], aim: Aim): readonly Finding[] {
  return findings.flatMap((given) => {
    const read = given.kind === 'finding' ? readFinding(given) : null;
    if (read === null) return [];
    const rule = String(read.rule);
    const at = String(read.at) === '' ? aim.label : String(read.at);
    const severity = oneOf(severities, read.severity) ?? 'info';
    const axis = axisOf(rule, severity);
    const repro = String(read.repro);
    const shown = [read.detail, read.evidence].filter((text) => text !== '').join('\n');
    return [
      {
        id: findingId(rule, [at, String(read.title)]),
        rule,
        title: String(read.title),
        severity,
        axis,
        evidenceClass: oneOf(evidenceClasses, read.evidence_class) ?? 'U',
        cwe: [...asStrings(read.cwe)],
        owasp: [],
        locations: [placeOf(at)],
        evidence: [{ kind: 'response' as const, ref: at.slice(0, 4608), excerpt: { text: shown } }],
        remediation: String(read.remediation) === '' ? 'See the detail of the finding.' : String(read.remediation),
        ...(repro === '' ? {} : { repro }),
      },
    ];
  });
}
