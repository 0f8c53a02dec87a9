import { kibibyte } from '../../../base/limits.ts';
import type { AuditFinding, AuditInput, AuditLine } from './contract.ts';

/** What an auditor says, as lines that are never too long and never hold a secret that it was given. */

export const longestLineBytes = 64 * kibibyte;

/** Two of these together still fit into a line, with every character escaped. */
const longest = {
  title: 256,
  at: 2048,
  detail: 2000,
  evidence: 3500,
  remediation: 1000,
  repro: 3500,
  note: 1000,
} as const;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function boundFinding(finding: AuditFinding): AuditFinding {
  return {
    ...finding,
    rule: cut(finding.rule, 96),
    title: cut(finding.title, longest.title),
    at: cut(finding.at, longest.at),
    detail: cut(finding.detail, longest.detail),
    evidence: cut(finding.evidence, longest.evidence),
    remediation: cut(finding.remediation, longest.remediation),
    cwe: finding.cwe.slice(0, 8).map((id) => cut(id, 16)),
    repro: cut(finding.repro, longest.repro),
  };
}

function boundLine(line: AuditLine): AuditLine {
  if (line.type === 'finding') return { type: 'finding', finding: boundFinding(line.finding) };
  if (line.type === 'note') return { type: 'note', text: cut(line.text, longest.note) };
  if (line.type === 'progress') return { ...line, phase: cut(line.phase, 100) };
  return line.type === 'fact' ? { ...line, name: cut(line.name, 100) } : line;
}

/** Shorter ones would turn words of reports into holes. */
const shortestSecret = 6;

function secretsOf({ credential, arguments: given }: AuditInput): readonly string[] {
  const { token } = given;
  const all = [
    credential?.value,
    credential?.value.replace(/^\S+ +/, ''),
    typeof token === 'string' ? token : undefined,
  ];
  return [...new Set(all)].filter((secret) => secret !== undefined && secret.length >= shortestSecret) as string[];
}

/** A function that makes one line of one thing, without its end. */
export function makeLineWriter(input: AuditInput | null): (line: AuditLine) => string {
  const secrets = input === null ? [] : secretsOf(input).toSorted((left, right) => right.length - left.length);
  const hide = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), value) : value;
  return (line) => {
    const text = JSON.stringify(boundLine(line), hide);
    if (Buffer.byteLength(text) <= longestLineBytes) return text;
    const what = line.type === 'fact' ? `the fact ${cut(line.name, 100)}` : `a ${line.type}`;
    return JSON.stringify({ type: 'note', text: `${what} was too long and is left out` } satisfies AuditLine);
  };
}
