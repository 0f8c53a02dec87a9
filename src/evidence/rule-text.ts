import type { Axis, Severity } from '../base/finding-schema.ts';

/** What is said about a rule: in `--explain`, in SARIF and in the reference. */
export interface RuleText {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly axis: Axis;
  readonly cwe: readonly string[];
  readonly owasp: readonly string[];
  readonly what: string;
  readonly why: string;
  readonly remediation: string;
  /** One example that the rule fires on and one that it does not, as text. */
  readonly fires: string;
  readonly silent: string;
}
