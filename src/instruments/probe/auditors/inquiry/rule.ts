import type { Severity } from '../../../../base/finding-schema.ts';
import type { AuditRequest } from '../contract.ts';

/** What an auditor can claim is a table; a check only says which row, where, and what showed it. */
export interface AuditRule {
  readonly title: string;
  readonly severity: Severity;
  readonly evidenceClass: 'A' | 'B' | 'C';
  readonly cwe: readonly string[];
  readonly remediation: string;
}

export type RuleTable<Name extends string> = Readonly<Record<Name, AuditRule>>;

export interface Claim<Name extends string> {
  readonly rule: Name;
  readonly at: string;
  readonly detail: string;
  readonly evidence: string;
  /** A command, or the request that a command is made of. */
  readonly repro: string | AuditRequest;
  /** In place of the title and the rating of the table, where this case is another. */
  readonly title?: string;
  readonly severity?: Severity;
  readonly evidenceClass?: AuditRule['evidenceClass'];
}
