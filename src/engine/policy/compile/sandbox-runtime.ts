import { isIPv6 } from 'node:net';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import type { Compiled, Gap } from '../gap.ts';
import { isAddress } from '../network.ts';
import { accessAt, cleanPath, comparePaths, indexAccess } from '../paths.ts';
import {
  everyLimit,
  fakeNetworkGaps,
  limitGaps,
  noExecuteGaps,
  pathGap,
  syscallGaps,
  toolGaps,
  unreachableGaps,
} from './foreign-gaps.ts';

/**
 * Settings of Anthropic's sandbox-runtime, for `srt --settings FILE command`. Everything is refused to readers and then
 * given back path by path, because its rules about reading begin with what is denied. The target stands in the real file
 * tree: {work} is the folder that srt is started in, {tmp} the folder that srt points TMPDIR to, and {home} a folder `.home`
 * in {work}, never the home of the user.
 */

export interface SandboxRuntimeSettings {
  readonly network: {
    readonly allowedDomains: readonly string[];
    readonly deniedDomains: readonly string[];
    /** Who is not on the list is refused, and nobody is asked. */
    readonly strictAllowlist: true;
  };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
  };
}

const folders: Readonly<Record<string, string>> = { '{work}': '.', '{home}': './.home', '{tmp}': '/tmp/claude' };
/** These are a pattern there and not a name. */
const patternCharacters = /[*?[\]{}]/;

function settingsPath(path: string): string {
  const [, folder, rest = ''] = /^(\{(?:home|work|tmp)\})(\/.*)?$/s.exec(path) ?? [];
  return folder === undefined ? path : `${folders[folder] ?? folder}${rest}`;
}

/** Names with one label, and suffixes of one, are refused there as too broad. */
function domainsOf({ host, port }: NetworkRule): readonly string[] {
  const end = port === '*' ? '' : `:${port}`;
  if (host === '*') return [];
  if (isIPv6(host)) return [`[${host}]${end}`];
  if (isAddress(host) || host === 'localhost') return [`${host}${end}`];
  const bare = host.startsWith('.') ? host.slice(1) : host;
  if (!bare.includes('.')) return [];
  return host.startsWith('.') ? [`${bare}${end}`, `*.${bare}${end}`] : [`${bare}${end}`];
}

function unique(texts: readonly string[]): readonly string[] {
  return Array.from(new Set(texts));
}

function fileSettings({ files }: Policy): Compiled<SandboxRuntimeSettings['filesystem']> {
  const gaps: Gap[] = [];
  const cleaned = files.map(({ path, access }, at) => ({ path: cleanPath(path), access, at }));
  const usable = cleaned
    .filter(({ path, at }) => {
      const isPattern = patternCharacters.test(settingsPath(path));
      if (isPattern) gaps.push(pathGap(at, path, 'path-characters', 'it holds a character of patterns'));
      return !isPattern;
    })
    .sort((one, other) => comparePaths(one.path, other.path));
  if (cleaned.some(({ path }) => path.startsWith('{home}'))) {
    const what = '{home} is .home in the folder that srt is started in: it is to be made, and HOME set to it';
    gaps.push({ id: 'home-folder', path: 'files', what, effect: 'closed' });
  }
  const filesystem = {
    denyRead: ['/'],
    allowRead: unique(usable.map(({ path }) => settingsPath(path))),
    allowWrite: unique(usable.filter(({ access }) => access === 'write').map(({ path }) => settingsPath(path))),
    denyWrite: [],
  };
  return { value: filesystem, gaps };
}

function networkGaps(policy: Policy): readonly Gap[] {
  const { network } = policy;
  if (network.mode !== 'allowlist') return fakeNetworkGaps(policy);
  const proxy: Gap = {
    id: 'network-proxy',
    path: 'network.rules',
    what: 'hosts are reached through a proxy alone: a program that does not use it, and UDP, reach nobody',
    effect: 'closed',
  };
  const everybody = network.rules.flatMap((rule, at): Gap[] => {
    if (rule.host !== '*') return [];
    const what = `${rule.port === '*' ? 'everybody' : `everybody on port ${rule.port}`} cannot be allowed: hosts have to be named`;
    return [{ id: 'network-anybody', path: `network.rules[${at}]`, what, effect: 'closed' }];
  });
  const narrow = unreachableGaps(
    policy,
    (rule) => rule.host !== '*' && domainsOf(rule).length === 0,
    'a name of one label is refused as too broad',
  );
  return [...everybody, ...narrow, ...(network.rules.length === 0 ? [] : [proxy])];
}

function withoutExecute({ files }: Policy): number {
  const index = indexAccess(files);
  return Array.from(index.keys()).filter((path) => !accessAt(index, path).execute).length;
}

export function compileSandboxRuntime(policy: Policy): Compiled<SandboxRuntimeSettings> {
  const files = fileSettings(policy);
  const rules = policy.network.mode === 'allowlist' ? policy.network.rules : [];
  const environment: Gap = {
    id: 'environment',
    path: 'environment',
    what: 'the target sees every variable of the one who starts it',
    effect: 'open',
  };
  return {
    value: {
      network: { allowedDomains: unique(rules.flatMap(domainsOf)), deniedDomains: [], strictAllowlist: true },
      filesystem: files.value,
    },
    gaps: [
      ...files.gaps,
      ...noExecuteGaps(withoutExecute(policy)),
      environment,
      ...networkGaps(policy),
      ...limitGaps(everyLimit),
      ...syscallGaps(policy, 'its own filter is about Unix sockets'),
      ...toolGaps(policy),
    ],
  };
}
