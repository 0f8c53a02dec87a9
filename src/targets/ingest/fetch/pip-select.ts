import { compare, explain, satisfies, valid } from '@renovatebot/pep440';
import { normalisePypiName } from '../target/pypi-spec.ts';
import type { IndexFile } from './pip-index.ts';

/** Which file of a project is taken: the version by PEP 440, and a wheel before a source archive. */

export interface Candidate {
  readonly version: string;
  readonly kind: 'wheel' | 'sdist';
  /** Python, ABI and platform tags of a wheel. */
  readonly tags: string;
  readonly file: IndexFile;
}

export function readCandidate(file: IndexFile, name: string): Candidate | undefined {
  const wheel = /^(.+?)-([^-]+)(?:-\d[^-]*)?-([^-]+-[^-]+-[^-]+)\.whl$/.exec(file.filename);
  if (wheel !== null) {
    const version = valid(wheel[2] ?? '');
    if (version === null || normalisePypiName(wheel[1] ?? '') !== name) return undefined;
    return { version, kind: 'wheel', tags: wheel[3] ?? '', file };
  }
  const stem = /^(.+)\.(?:tar\.gz|tgz|zip)$/.exec(file.filename)?.[1];
  if (stem === undefined) return undefined;
  for (let at = stem.indexOf('-'); at !== -1; at = stem.indexOf('-', at + 1)) {
    const version = valid(stem.slice(at + 1));
    if (version !== null && normalisePypiName(stem.slice(0, at)) === name)
      return { version, kind: 'sdist', tags: '', file };
  }
  return undefined;
}

const machines: Readonly<Record<string, string>> = { x64: '(x86_64|amd64)', arm64: '(aarch64|arm64)' };
const systems: Readonly<Record<string, string>> = { linux: '(many|musl)?linux', darwin: 'macosx', win32: 'win' };

/** Lower is better: pure Python, then this machine, then any wheel, then source. */
function rank({ kind, tags }: Candidate): number {
  if (kind === 'sdist') return 3;
  if (/-none-any$/.test(tags)) return 0;
  const system = systems[process.platform] ?? 'linux';
  const here = new RegExp(`-[^-]*${system}[^-]*(${machines[process.arch] ?? 'none'}|universal2)`);
  return here.test(tags) ? 1 : 2;
}

function fitsPython(range: string, pythonVersion: string): boolean {
  try {
    return range === '' || satisfies(pythonVersion, range, { prereleases: true });
  } catch {
    return true;
  }
}

const isPrerelease = (version: string): boolean => {
  const parts = explain(version);
  return parts !== null && (parts.is_prerelease || parts.is_devrelease);
};

function fits(version: string, specifier: string): boolean {
  try {
    return specifier === '' || satisfies(version, specifier, { prereleases: true });
  } catch {
    return false;
  }
}

/** A project has thousands of files and few versions: each version and each range is looked at once. */
function remember<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const there = known.get(text);
    if (there !== undefined) return there;
    const fresh = answer(text);
    known.set(text, fresh);
    return fresh;
  };
}

/** A withdrawn version is taken only when exactly it was asked for; one before its release only when it must be. */
export function selectCandidate(
  candidates: readonly Candidate[],
  specifier: string,
  pythonVersion: string,
): Candidate | undefined {
  const isPinned = /^={2,3}[^*,]+$/.test(specifier);
  const namesPrerelease = specifier
    .split(',')
    .some((part) => isPrerelease(part.replace(/^[=<>!~]+/, '').replace(/\.\*$/, '')));
  const isFitting = remember((version) => fits(version, specifier));
  const isForPython = remember((range) => fitsPython(range, pythonVersion));
  const fitting = candidates.filter(
    ({ version, file }) =>
      isFitting(version) && (isPinned || (!file.isYanked && isForPython(file.requiresPython ?? ''))),
  );
  const isEarly = remember(isPrerelease);
  const released = fitting.filter(({ version }) => !isEarly(version));
  const usable = namesPrerelease || released.length === 0 ? fitting : released;
  const newest = [...new Set(usable.map(({ version }) => version))].sort(compare).at(-1);
  if (newest === undefined) return undefined;
  const isNewest = remember((version) => compare(version, newest) === 0);
  return usable
    .filter(({ version }) => isNewest(version))
    .sort((left, right) => rank(left) - rank(right) || (left.file.filename < right.file.filename ? -1 : 1))[0];
}
