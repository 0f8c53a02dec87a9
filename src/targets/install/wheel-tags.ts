import type { Candidate } from '../ingest/fetch/pip-select.ts';

/** Whether a wheel's tags fit the Python of the box: `cp311-cp311-manylinux_2_17_x86_64`, `cp39-abi3-…`, `py3-none-any`. */

const machines: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

function pythonFits(tag: string, minor: number): boolean {
  if (tag === 'py3' || tag === `py3${minor}`) return true;
  return tag === `cp3${minor}`;
}

/** Larger is better; 0 does not fit. */
export function wheelRank(tags: string, minor: number, machine: string = process.arch): number {
  const [pythons = '', abis = '', platforms = ''] = tags.split('-');
  const isHere = platforms
    .split('.')
    .some((tag) => /^(many)?linux/.test(tag) && tag.endsWith(`_${machines[machine] ?? machine}`));
  const isAnywhere = platforms.split('.').includes('any');
  if (!isHere && !isAnywhere) return 0;
  const names = pythons.split('.');
  if (abis.split('.').includes('abi3')) {
    const stable = names.some((tag) => /^cp3\d+$/.test(tag) && Number(tag.slice(3)) <= minor);
    return stable && isHere ? 3 : 0;
  }
  if (!names.some((tag) => pythonFits(tag, minor))) return 0;
  if (abis.split('.').some((abi) => abi === `cp3${minor}`)) return 4;
  if (!abis.split('.').includes('none')) return 0;
  return isHere ? 3 : 2;
}

/** The file of this version that needs no build here, else the source archive. */
export function chooseFile(candidates: readonly Candidate[], version: string, minor: number): Candidate | undefined {
  const own = candidates.filter((candidate) => candidate.version === version);
  const wheels = own
    .map((candidate) => ({ candidate, rank: candidate.kind === 'wheel' ? wheelRank(candidate.tags, minor) : 0 }))
    .filter(({ rank }) => rank > 0)
    .sort((left, right) => right.rank - left.rank);
  return wheels[0]?.candidate ?? own.find(({ kind }) => kind === 'sdist');
}
