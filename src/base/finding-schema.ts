import { z } from 'zod';
import { untrustedSchema } from './event-schema.ts';
import { fingerprint } from './fingerprint.ts';

/** A finding: one claim with its proof, the same from every instrument. */

export const severities = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

export const axes = ['hostility', 'weakness', 'exposure'] as const;
export type Axis = (typeof axes)[number];

/** From proof to unknown; see the rubric for what each can say alone. */
export const evidenceClasses = ['A', 'B', 'C', 'D', 'U'] as const;
export type EvidenceClass = (typeof evidenceClasses)[number];

/** A path is relative to the target, with forward slashes. Lines and columns count from 1. */
export const locationSchema = z.strictObject({
  path: z.string().min(1).max(4096),
  line: z.number().int().min(1).exactOptional(),
  column: z.number().int().min(1).exactOptional(),
  endLine: z.number().int().min(1).exactOptional(),
  /** What stands at this place in the way from source to sink, for findings that have one. */
  step: z.string().max(512).exactOptional(),
});
export type Location = z.infer<typeof locationSchema>;

export const evidenceSchema = z.strictObject({
  kind: z.enum(['event', 'source', 'response', 'package', 'metadata']),
  /** Where it can be looked up: `path:line`, an event's position, a package's purl, a field of a tool. */
  ref: z.string().min(1).max(4608),
  excerpt: untrustedSchema,
});
export type Evidence = z.infer<typeof evidenceSchema>;

export const findingSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  rule: z
    .string()
    .regex(/^[a-z0-9]+(?:[-/][a-z0-9]+)*$/)
    .max(96),
  title: z.string().min(1).max(256),
  severity: z.enum(severities),
  axis: z.enum(axes),
  evidenceClass: z.enum(evidenceClasses),
  cwe: z.array(z.string().regex(/^CWE-\d+$/)),
  /** Ids of the OWASP MCP Top 10, such as MCP05. */
  owasp: z.array(z.string().regex(/^MCP\d{2}$/)),
  /** MITRE ATT&CK techniques, where one fits. */
  attack: z.array(z.string().regex(/^T\d{4}(?:\.\d{3})?$/)).exactOptional(),
  /** In order: for a flow, from its source to its sink, and the last one is where it happens. */
  locations: z.array(locationSchema),
  evidence: z.array(evidenceSchema),
  remediation: z.string().min(1).max(2048),
  /** A command that shows it again. */
  repro: z.string().max(4096).exactOptional(),
});
export type Finding = z.infer<typeof findingSchema>;

/**
 * Derived from content, so that a baseline, a suppression and the difference of two runs need no database. `identity` is
 * what makes this finding this one and does not change when lines move: file, function, sink, advisory, tool.
 */
export function findingId(rule: string, identity: readonly string[]): string {
  return fingerprint([rule, ...identity]).slice(0, 16);
}
