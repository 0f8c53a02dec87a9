import { z } from 'zod';
import { type Axis, type EvidenceClass, type Finding, findingId, type Severity } from '../../../base/finding-schema.ts';
import type { Aim, CommandMeans, PortRange } from '../contract.ts';
import { boundedText } from '../parsers/bounds.ts';
import { placeOf } from '../place.ts';

/** What the scanners have in common whose programs were written by others. */

/** The argument layer says what is wrong with one; a pattern here could only say that something is. */
export const urlText = z.string().min(1).max(2048);

/** Settings and caches of a program go into its work folder: it finds none of this machine and leaves none behind. */
export function homeVariables({ paths }: Pick<CommandMeans, 'paths'>): Readonly<Record<string, string>> {
  const { work } = paths;
  return {
    HOME: work,
    TMPDIR: work,
    XDG_CONFIG_HOME: `${work}/config`,
    XDG_CACHE_HOME: `${work}/cache`,
    XDG_DATA_HOME: `${work}/data`,
  };
}

export function portsText(ports: readonly PortRange[]): string {
  return ports.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

/** What a row of a table says about everything that it fits. */
export const judgementFields = {
  rule: z.string().regex(/^[a-z0-9]+(?:[-/][a-z0-9]+)*$/),
  title: z.string().min(1).max(160),
  severity: z.enum(['info', 'low', 'medium', 'high', 'critical']),
  cwe: z.array(z.string().regex(/^CWE-\d+$/)),
  remediation: z.string().min(1).max(1024),
} as const;

export interface Judgement {
  readonly rule: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: readonly string[];
  readonly remediation: string;
}

export interface Claim {
  readonly judgement: Judgement;
  readonly axis: Axis;
  readonly evidenceClass: EvidenceClass;
  /** Host and port, or URL: where it is, and what makes the finding this one. */
  readonly at: string;
  readonly identity?: readonly string[];
  readonly excerpt: string;
  readonly repro: string;
}

export function findingOfClaim(claim: Claim): Finding {
  const { judgement, at } = claim;
  return {
    id: findingId(judgement.rule, [at, ...(claim.identity ?? [])]),
    rule: judgement.rule,
    title: boundedText(`${judgement.title}: ${at}`, 256) ?? judgement.rule,
    severity: judgement.severity,
    axis: claim.axis,
    evidenceClass: claim.evidenceClass,
    cwe: [...judgement.cwe],
    owasp: [],
    locations: [placeOf(at)],
    evidence: [
      {
        kind: 'response',
        ref: boundedText(at, 4096) ?? judgement.rule,
        excerpt: { text: boundedText(claim.excerpt, 1024) ?? '' },
      },
    ],
    remediation: boundedText(judgement.remediation, 2048) ?? judgement.rule,
    repro: claim.repro,
  };
}

export function hostAndPort(aim: Pick<Aim, 'host'>, address: string | undefined, port: number): string {
  const host = address ?? aim.host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
