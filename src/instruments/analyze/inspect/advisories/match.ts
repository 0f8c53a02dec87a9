import type { Component, Ecosystem } from '../sbom/index.ts';
import { normalisePythonName } from '../sbom/index.ts';
import type { Advisory, Affected } from './advisory.ts';
import { type Answer, fixedVersion, isAffected } from './ranges.ts';

/** One package and one advisory that concerns it. */
export interface Match {
  readonly component: Component;
  readonly advisory: Advisory;
  /** `unknown` when its version, or the range, cannot be compared. */
  readonly answer: Exclude<Answer, 'no'>;
  readonly fixed: string | undefined;
  readonly source: string;
}

/** Our names of ecosystems, and those of OSV. */
export const osvEcosystems: Readonly<Record<Ecosystem, string>> = { npm: 'npm', pypi: 'PyPI' };

export function packageKey(ecosystem: string, name: string): string {
  return `${ecosystem}:${ecosystem === 'PyPI' ? normalisePythonName(name) : name}`;
}

export function keyOfComponent(component: Pick<Component, 'ecosystem' | 'name'>): string {
  return packageKey(osvEcosystems[component.ecosystem], component.name);
}

function isAbout(affected: Affected, key: string): boolean {
  return packageKey(affected.ecosystem, affected.name) === key;
}

/** Undefined when the advisory is withdrawn, about something else, or about other versions. */
export function matchAdvisory(component: Component, advisory: Advisory, source: string): Match | undefined {
  if (advisory.withdrawn !== undefined) return undefined;
  const key = keyOfComponent(component);
  const concerned = advisory.affected.filter((affected) => isAbout(affected, key));
  if (concerned.length === 0) return undefined;
  const { version } = component;
  const answers = concerned.map((affected) => (version === undefined ? 'unknown' : isAffected(affected, version)));
  const answer = answers.includes('yes') ? 'yes' : answers.includes('unknown') ? 'unknown' : 'no';
  if (answer === 'no') return undefined;
  const fixes = version === undefined ? [] : concerned.flatMap((affected) => fixedVersion(affected, version) ?? []);
  return { component, advisory, answer, fixed: fixes[0], source };
}
