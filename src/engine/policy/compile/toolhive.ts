import { isIPv6 } from 'node:net';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import type { Compiled, Gap } from '../gap.ts';
import { describeEndpoint, isUnrestricted } from '../network.ts';
import {
  everyLimit,
  fakeNetworkGaps,
  limitGaps,
  noExecuteGaps,
  pathGap,
  syscallGaps,
  toolGaps,
} from './foreign-gaps.ts';
import { type ImagePath, imagePaths } from './image-paths.ts';

/**
 * A permission profile of ToolHive, for `thv run --isolate-network --permission-profile FILE image`. The server's code is
 * in the image: {work}, {home} and {tmp} are folders of the container itself, thrown away with it, and need no line.
 */

export interface ToolHiveProfile {
  readonly read: readonly string[];
  /** Includes reading. */
  readonly write: readonly string[];
  readonly network: {
    readonly outbound: {
      readonly insecure_allow_all: boolean;
      readonly allow_host: readonly string[];
      readonly allow_port: readonly number[];
    };
  };
}

type Outbound = ToolHiveProfile['network']['outbound'];

const closed: Outbound = { insecure_allow_all: false, allow_host: [], allow_port: [] };

function unreachable(rule: NetworkRule, at: number, because: string): Gap {
  const what = `${describeEndpoint(rule)} cannot be reached: ${because}`;
  return { id: 'network-rule', path: `network.rules[${at}]`, what, effect: 'closed' };
}

function portsOf(rules: readonly NetworkRule[]): readonly number[] {
  return Array.from(new Set(rules.flatMap(({ port }) => (port === '*' ? [] : [port])))).sort(
    (one, other) => one - other,
  );
}

/** Hosts and ports are two lists there, and every host may be reached on every port: an empty list means all. */
function outboundOf(policy: Policy): Compiled<Outbound> {
  if (policy.network.mode !== 'allowlist' || policy.network.rules.length === 0) return { value: closed, gaps: [] };
  if (isUnrestricted(policy)) return { value: { ...closed, insecure_allow_all: true }, gaps: [] };
  const { rules } = policy.network;
  const ports = portsOf(rules.filter(({ host }) => host === '*'));
  if (ports.length > 0) {
    const gaps = rules.flatMap((rule, at) => {
      const isKept = rule.host === '*' || (rule.port !== '*' && ports.includes(rule.port));
      return isKept ? [] : [unreachable(rule, at, 'its port would be open to everybody')];
    });
    return { value: { ...closed, allow_port: ports }, gaps };
  }
  const named = rules.filter(({ host }) => !isIPv6(host));
  const gaps = rules.flatMap((rule, at) =>
    isIPv6(rule.host) ? [unreachable(rule, at, 'the proxy knows names and IPv4 alone')] : [],
  );
  if (named.length === 0) return { value: closed, gaps };
  const hosts = Array.from(new Set(named.map(({ host }) => host)));
  const isAnyPort = named.some(({ port }) => port === '*');
  const given = isAnyPort ? [] : portsOf(named);
  const asked = new Set(named.map(describeEndpoint)).size;
  const isWider = isAnyPort ? named.some(({ port }) => port !== '*') : asked < hosts.length * given.length;
  const what = 'every host of the list can be reached on every port of the list';
  const wider: Gap = { id: 'network-product', path: 'network.rules', what, effect: 'open' };
  return { value: { ...closed, allow_host: hosts, allow_port: given }, gaps: [...gaps, ...(isWider ? [wider] : [])] };
}

/** A colon parts the two sides of a mount; the others are refused as those of a command. */
const refusedCharacters = /[:$&;|`\p{Cc}]/u;

function pathsOf(paths: readonly ImagePath[], gaps: Gap[]): Pick<ToolHiveProfile, 'read' | 'write'> {
  const usable = paths.filter(({ path, rule }) => {
    const isRefused = refusedCharacters.test(path);
    if (isRefused) gaps.push(pathGap(rule, path, 'path-characters', 'it holds a character that a mount must not have'));
    return !isRefused;
  });
  return {
    read: usable.filter(({ access }) => !access.write).map(({ path }) => path),
    write: usable.filter(({ access }) => access.write).map(({ path }) => path),
  };
}

function networkGaps(policy: Policy): readonly Gap[] {
  if (isUnrestricted(policy)) return [];
  const isolate: Gap = {
    id: 'network-switch',
    path: 'network',
    what: 'the network is closed only when the server is started with --isolate-network',
    effect: 'open',
  };
  const proxy: Gap = {
    id: 'network-proxy',
    path: 'network.rules',
    what: 'hosts are reached through a proxy alone, by HTTP and HTTPS',
    effect: 'closed',
  };
  const hasRules = policy.network.mode === 'allowlist' && policy.network.rules.length > 0;
  return [...fakeNetworkGaps(policy), isolate, ...(hasRules ? [proxy] : [])];
}

export function compileToolHive(policy: Policy): Compiled<ToolHiveProfile> {
  const { host, gaps: imageGaps } = imagePaths(policy);
  const gaps: Gap[] = [...imageGaps];
  const paths = pathsOf(host, gaps);
  const outbound = outboundOf(policy);
  const layer: Gap = {
    id: 'container-layer',
    path: 'files',
    what: 'the container can write everywhere in its own file tree, and run what it wrote: only mounts are kept from it',
    effect: 'open',
  };
  const environment: Gap = {
    id: 'environment',
    path: 'environment',
    what: 'which variables may be given is not kept, and fixed values are not set',
    effect: 'open',
  };
  return {
    value: { ...paths, network: { outbound: outbound.value } },
    gaps: [
      ...gaps,
      layer,
      ...noExecuteGaps(host.filter(({ access }) => !access.execute).length),
      environment,
      ...networkGaps(policy),
      ...outbound.gaps,
      ...limitGaps(everyLimit),
      ...syscallGaps(policy, "the container engine's own filter stands"),
      ...toolGaps(policy),
    ],
  };
}
