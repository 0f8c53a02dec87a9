import type { Severity } from '../../../base/finding-schema.ts';
import type { Credential, JsonValue, RequestLimits } from '../contract.ts';

/**
 * Scanners of our own. They run as a program inside the room, like those of others: `node main.js NAME input.json`,
 * and write one line of JSON for each thing they have to say, so that a time-out loses nothing.
 */

export interface AuditFinding {
  /** `http/no-hsts`: group and rule, lower case. */
  readonly rule: string;
  readonly title: string;
  readonly severity: Severity;
  /** A: proven by an answer that only this weakness explains. B: an answer strongly suggests it. C: a hint. */
  readonly evidence_class: 'A' | 'B' | 'C';
  /** URL, or host and port. */
  readonly at: string;
  readonly detail: string;
  /** The request and the part of the answer that show it, shortened. */
  readonly evidence: string;
  readonly remediation: string;
  readonly cwe: readonly string[];
  /** A command that shows it again, without a credential. */
  readonly repro: string;
}

export type AuditLine =
  | { readonly type: 'finding'; readonly finding: AuditFinding }
  /** What was seen and is no weakness: status, technologies, a certificate. */
  | { readonly type: 'fact'; readonly name: string; readonly value: JsonValue }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'progress'; readonly phase: string; readonly share: number }
  | { readonly type: 'end' };

export interface AuditRequest {
  /** Absolute. Refused by the client when the limits do not cover it. */
  readonly url: string;
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Default: true where there is a credential. */
  readonly isAuthenticated?: boolean;
  /** In place of the usual limit of one request. */
  readonly timeoutMs?: number;
}

export interface AuditAnswer {
  readonly status: number;
  readonly httpVersion: string;
  /** Lower-case names; several values of one name are several entries. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Up to a cap. */
  readonly body: Buffer;
  readonly isCut: boolean;
  readonly elapsedMs: number;
}

/** Redirects are never followed. */
export interface AuditClient {
  /** Rejects with an AuditFailure when there is no answer. */
  send(request: AuditRequest): Promise<AuditAnswer>;
  readonly sent: number;
}

/** What every auditor is given, as input.json. */
export interface AuditInput<Arguments = Readonly<Record<string, JsonValue>>> {
  readonly arguments: Arguments;
  readonly url: string;
  readonly host: string;
  readonly addresses: readonly string[];
  readonly ports: readonly { readonly from: number; readonly to: number }[];
  readonly limits: RequestLimits;
  readonly pace: { readonly requestsPerSecond: number; readonly connections: number };
  readonly credential: Credential | null;
}

export interface Audit<Arguments = Readonly<Record<string, JsonValue>>> {
  readonly input: AuditInput<Arguments>;
  readonly client: AuditClient;
  readonly say: (line: AuditLine) => void;
}

/** One file per auditor exports one of these. */
export interface Auditor {
  readonly name: string;
  run(audit: Audit): Promise<void>;
}
