import type { Proof } from '../../../base/analysis-schema.ts';
import {
  type Evidence,
  type EvidenceClass,
  type Finding,
  type Severity,
  severities,
} from '../../../base/finding-schema.ts';
import { excerpt, oneLine } from '../inspect/rule.ts';
import { weakPathChecks } from '../inspect/taint/judge.ts';
import type { Shown, TrialFindings } from './contract.ts';

/** What inspection suspected and trials showed is one thing, told once: with the line of code and with the proof. */

/** Which trials can show what a rule of inspection suspects. */
const classOfRule: Readonly<Record<string, string>> = {
  'taint/command-injection': 'command-injection',
  'taint/command-execution': 'command-injection',
  'taint/argument-injection': 'argument-injection',
  'taint/path-traversal': 'path-traversal',
  'taint/path-symlink': 'path-traversal',
  'taint/ssrf': 'ssrf',
  'taint/sql-injection': 'sql-injection',
  'taint/sql-statement': 'sql-injection',
  'taint/code-injection': 'code-eval',
  'taint/code-execution': 'code-eval',
  'taint/module-injection': 'code-eval',
  'taint/deserialisation': 'deserialisation',
  'taint/template-injection': 'template',
  'taint/regex-injection': 'exhaustion',
};

export interface Suspicion {
  readonly class: string;
  /** Undefined where the code does not tell which tool it is. */
  readonly tool: string | undefined;
  /** Name of the argument, where it is one. */
  readonly parameter: string | undefined;
}

/** What a finding of inspection suspects of a tool; null where no trial could show it. */
export function suspicionOf({ rule, title }: Pick<Finding, 'rule' | 'title'>): Suspicion | null {
  const kind = classOfRule[rule];
  if (kind === undefined) return null;
  return {
    class: kind,
    tool: /\bof tool "([^"]+)"/.exec(title)?.[1],
    parameter: /^Argument "([^"]+)"/.exec(title)?.[1],
  };
}

export interface Promoted {
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
}

const mostEvidence = 12;
function higher(one: Severity, other: Severity): Severity {
  return severities.indexOf(one) >= severities.indexOf(other) ? one : other;
}

function merge(suspected: Finding, shown: Finding, evidenceClass: EvidenceClass, isByDesign: boolean): Finding {
  const note: Evidence = {
    kind: 'response',
    ref: `finding:${shown.id}`,
    excerpt: { text: isByDesign ? 'a trial showed that it can; it is there for it' : 'a trial reached it' },
  };
  const evidence = [...suspected.evidence, note, ...shown.evidence].slice(0, mostEvidence);
  if (isByDesign) return { ...suspected, evidence };
  return {
    ...suspected,
    title: oneLine(`Proven by trial: ${suspected.title}`),
    severity: higher(suspected.severity, shown.severity),
    evidenceClass,
    cwe: [...new Set([...suspected.cwe, ...shown.cwe])],
    evidence,
  };
}

/** Says of a suspicion that nothing came of it, and why that is. */
function unproven(finding: Finding, { tool, class: kind }: Suspicion, tried: ReadonlyMap<string, number>): Finding {
  const count =
    tool === undefined
      ? [...tried].filter(([key]) => key.endsWith(`\n${kind}`)).reduce((sum, [, each]) => sum + each, 0)
      : (tried.get(`${tool}\n${kind}`) ?? 0);
  const text =
    count === 0
      ? `not exercised: no trial of ${kind} was made`
      : `exercised without effect: ${count} trials of ${kind} showed nothing`;
  const evidence: Evidence = { kind: 'response', ref: `trials:${kind}`, excerpt: excerpt(text) };
  return { ...finding, evidence: [...finding.evidence, evidence] };
}

export function countTrials(
  made: readonly { readonly tool: string; readonly class: string }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { tool, class: kind } of made) {
    const key = `${oneLine(tool)}\n${kind}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function fits(finding: Finding, { tool, class: kind }: Shown): boolean {
  const suspicion = suspicionOf(finding);
  return suspicion?.class === kind && (suspicion.tool === undefined || suspicion.tool === oneLine(tool));
}

function isNamed(finding: Finding, pointers: readonly string[]): boolean {
  const parameter = suspicionOf(finding)?.parameter;
  const place = `/${parameter ?? ''}`;
  return parameter !== undefined && pointers.some((pointer) => pointer === place || pointer.startsWith(`${place}/`));
}

/** Where the code checks what it is given, what passes is no ability, however openly the tool does it. */
function isChecked({ title }: Finding): boolean {
  return Object.values(weakPathChecks).some((reason) => title.includes(reason));
}

/**
 * The findings of inspection first, in their order, then those of trials that no finding of inspection took up. Where a
 * tool has several suspicions of a class, those whose argument was proven are promoted, or else the first.
 */
export function promote(
  suspected: readonly Finding[],
  trials: TrialFindings,
  made: readonly { readonly tool: string; readonly class: string }[],
): Promoted {
  const tried = countTrials(made);
  const byId = new Map(trials.findings.map((finding) => [finding.id, finding]));
  const proven = new Map<Finding, Shown>();
  const takenAs = new Map<string, string>();
  // A weakness says more than an ability of the same tool, so it comes last and stays.
  for (const shown of trials.shown.toSorted((one, other) => Number(other.isByDesign) - Number(one.isByDesign))) {
    const fitting = suspected.filter((finding) => fits(finding, shown));
    const named = fitting.filter((finding) => isNamed(finding, shown.pointers));
    const taken = named.length > 0 ? named : fitting.slice(0, 1);
    for (const finding of taken) proven.set(finding, shown);
    const [first] = taken;
    if (first !== undefined) takenAs.set(shown.finding, first.id);
  }
  const findings = suspected.map((finding) => {
    const shown = proven.get(finding);
    const proof = shown === undefined ? undefined : byId.get(shown.finding);
    if (shown !== undefined && proof !== undefined) {
      return merge(finding, proof, shown.evidenceClass, shown.isByDesign && !isChecked(finding));
    }
    const suspicion = suspicionOf(finding);
    return suspicion === null ? finding : unproven(finding, suspicion, tried);
  });
  return {
    findings: [...findings, ...trials.findings.filter(({ id }) => !takenAs.has(id))],
    proofs: trials.proofs.map((proof) => ({ ...proof, finding: takenAs.get(proof.finding) ?? proof.finding })),
  };
}
