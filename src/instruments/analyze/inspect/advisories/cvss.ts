import type { Severity } from '../../../../base/finding-schema.ts';

/** Base scores of CVSS 3.0 and 3.1, computed as the specification writes them, and the words for a score. */

const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};

/** With a changed scope, privileges weigh less. */
const changedPrivileges: Readonly<Record<string, number>> = { N: 0.85, L: 0.68, H: 0.5 };

/** Up to the next tenth, over whole numbers: 4.02 in binary must not become 4.1 where 4.0 was meant. */
function roundUp(value: number): number {
  const scaled = Math.round(value * 100_000);
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10;
}

function metricsOf(vector: string): ReadonlyMap<string, string> | undefined {
  const [head, ...parts] = vector.split('/');
  if (head !== 'CVSS:3.0' && head !== 'CVSS:3.1') return undefined;
  const metrics = new Map<string, string>();
  for (const part of parts) {
    const [name = '', value = '', ...rest] = part.split(':');
    if (rest.length > 0 || metrics.has(name)) return undefined;
    metrics.set(name, value);
  }
  return metrics;
}

export function baseScore(vector: string): number | undefined {
  if (vector.length > 512) return undefined;
  const metrics = metricsOf(vector);
  const scope = metrics?.get('S');
  if (metrics === undefined || (scope !== 'U' && scope !== 'C')) return undefined;
  const isChanged = scope === 'C';
  const weigh = (name: string): number => {
    const value = metrics.get(name) ?? '';
    const table = name === 'PR' && isChanged ? changedPrivileges : weights[name];
    return table !== undefined && Object.hasOwn(table, value) ? (table[value] ?? Number.NaN) : Number.NaN;
  };
  const [c, i, a] = [weigh('C'), weigh('I'), weigh('A')];
  const sub = 1 - (1 - c) * (1 - i) * (1 - a);
  const impact = isChanged ? 7.52 * (sub - 0.029) - 3.25 * (sub - 0.02) ** 15 : 6.42 * sub;
  const exploitability = 8.22 * weigh('AV') * weigh('AC') * weigh('PR') * weigh('UI');
  if (Number.isNaN(impact) || Number.isNaN(exploitability)) return undefined;
  if (impact <= 0) return 0;
  return roundUp(Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10));
}

export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

const wordsFor: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  moderate: 'medium',
  medium: 'medium',
  low: 'low',
  none: 'info',
  info: 'info',
};

export function severityOfWord(word: unknown): Severity | undefined {
  const key = typeof word === 'string' ? word.toLowerCase() : '';
  return Object.hasOwn(wordsFor, key) ? wordsFor[key] : undefined;
}
