import type { FileRule, Policy } from '../../../base/policy-schema.ts';
import type { Gap } from '../gap.ts';
import {
  type AccessIndex,
  accessAt,
  ancestorsOf,
  cleanPath,
  comparePaths,
  indexAccess,
  isWithin,
  noAccess,
  type PathAccess,
} from '../paths.ts';
import { airlockRules } from './airlock-paths.ts';
import { hostPathOf } from './path-facts.ts';
import type { PathFact, Place } from './place.ts';

/** The rules of a policy about files, as one entry per path with everything known about it. */

export interface PathEntry {
  /** Path of the host, as the policy names it. */
  readonly path: string;
  /** The same path as the target sees it. */
  readonly target: string;
  /** Real path on the host. */
  readonly source: string;
  readonly type: 'file' | 'folder' | 'other';
  /** The link as it stands on the host, where the path is one. */
  readonly link: string | null;
  readonly access: PathAccess;
  readonly isBoxFolder: boolean;
  /** Position of the first rule on this path; -1 for what the box adds itself. */
  readonly rule: number;
}

export interface Layout {
  readonly entries: readonly PathEntry[];
  readonly gaps: readonly Gap[];
}

const folderNames = ['home', 'work', 'tmp'] as const;

function typeAt(fact: PathFact, facts: Place['pathFacts']): PathEntry['type'] {
  if (fact.type !== 'link') return fact.type;
  const behind = facts.get(fact.resolved);
  return fact.resolvedType ?? (behind === undefined || behind.type === 'link' ? 'folder' : behind.type);
}

interface UnitedRule {
  readonly path: string;
  readonly access: PathAccess;
  /** Position of the first rule on the path. */
  readonly rule: number;
}

/** The policy's rules, one per path, with the access that its ancestors add. */
function uniteRules(rules: readonly FileRule[], index: AccessIndex): readonly UnitedRule[] {
  const paths = new Map<string, number>();
  rules.forEach((rule, at) => {
    const path = cleanPath(rule.path);
    if (!paths.has(path)) paths.set(path, at);
  });
  return Array.from(paths, ([path, rule]) => ({ path, access: accessAt(index, path), rule }));
}

function boxEntry(name: (typeof folderNames)[number], rules: readonly UnitedRule[], place: Place): PathEntry {
  const path = `{${name}}`;
  const own = rules.find((rule) => rule.path === path);
  return {
    path,
    target: place.boxFolders[name],
    source: place.hostFolders[name],
    type: 'folder',
    link: null,
    access: own?.access ?? { ...noAccess, read: true },
    isBoxFolder: true,
    rule: own?.rule ?? -1,
  };
}

function pathEntry({ path, access, rule }: UnitedRule, place: Place): PathEntry | null {
  const hostPath = hostPathOf(path, place.hostFolders);
  const fact = place.pathFacts.get(hostPath);
  if (fact === undefined) return null;
  return {
    path,
    target: hostPathOf(path, place.boxFolders),
    source: fact.type === 'link' ? fact.resolved : hostPath,
    type: typeAt(fact, place.pathFacts),
    link: fact.type === 'link' ? fact.target : null,
    access,
    isBoxFolder: path.startsWith('{'),
    rule,
  };
}

/**
 * Why a path inside a folder of the box cannot be given more than its parent; null when it can. What the target itself
 * can replace is never looked up on the host: between two starts it could become a link that leads out of the box.
 */
function boxRefusal({ path }: UnitedRule, entry: PathEntry | null, index: AccessIndex): string | null {
  if (entry === null) return 'it does not exist when the box is made';
  if (entry.link !== null) return 'it is a link, or lies behind one';
  const isReplaceable = ancestorsOf(path).some((above) => accessAt(index, above).write);
  return isReplaceable ? 'the target can replace it' : null;
}

/** Why what a link of the host leads to is not given; null when it is. */
function linkRefusal({ link, source }: PathEntry): readonly [id: string, because: string] | null {
  if (link === null) return null;
  if (source === '/') return ['whole-root', 'it is a link that leads to the root folder'];
  return isKernelFolder(source) ? ['kernel-folder', `it is a link that leads to ${source}`] : null;
}

export function refusalGap({ path, rule }: PathEntry, [id, because]: readonly [string, string]): Gap {
  return {
    id,
    path: rule < 0 ? 'files' : `files[${rule}]`,
    what: `${path} of the host is not given: ${because}`,
    effect: 'closed',
  };
}

function boxGap({ path, rule }: UnitedRule, because: string): Gap {
  return {
    id: 'parent-only',
    path: `files[${rule}]`,
    what: `${path} has only what its parent folder has: ${because}`,
    effect: 'closed',
  };
}

function airlockGap(place: Place): Gap {
  const what = `${place.airlock.interpreter} and its libraries can be executed in the box, because the airlock is run with it`;
  return { id: 'airlock-interpreter', path: 'files', what, effect: 'open' };
}

/**
 * The three folders of the box are always there, whether a rule names them or not; paths that do not exist on the host
 * are left out, because there is nothing to give. The airlock's interpreter is added where no rule lets it run.
 */
export function layOut(policy: Policy, place: Place): Layout {
  const isAirlockCovered = accessAt(indexAccess(policy.files), cleanPath(place.airlock.interpreter)).execute;
  const rules = isAirlockCovered ? policy.files : [...policy.files, ...airlockRules(place)];
  const index = indexAccess(rules);
  const united = uniteRules(rules, index);
  const gaps: Gap[] = isAirlockCovered ? [] : [airlockGap(place)];
  const boxes = folderNames.map((name) => boxEntry(name, united, place));
  const entries: PathEntry[] = [...boxes];
  for (const rule of united) {
    if (boxes.some(({ path }) => path === rule.path)) continue;
    const entry = pathEntry({ ...rule, rule: rule.rule < policy.files.length ? rule.rule : -1 }, place);
    const refusal = rule.path.startsWith('{') ? boxRefusal(rule, entry, index) : null;
    const leads = entry === null ? null : linkRefusal(entry);
    if (refusal !== null) gaps.push(boxGap(rule, refusal));
    else if (entry !== null && leads !== null) gaps.push(refusalGap(entry, leads));
    else if (entry !== null) entries.push(entry);
  }
  return { entries: entries.sort((left, right) => comparePaths(left.target, right.target)), gaps };
}

/** True when a path of the host lies below one of the folders that every backend makes itself. */
export function isKernelFolder(path: string): boolean {
  return ['/proc', '/dev'].some((folder) => isWithin(path, folder));
}
