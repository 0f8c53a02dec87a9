import { UsageError } from '../../../base/errors.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Gap } from '../gap.ts';
import { findNearest } from '../nearest.ts';
import { asciiJson } from './ascii-json.ts';
import { compileBwrap } from './bwrap.ts';
import { type CgroupValue, compileCgroup } from './cgroup.ts';
import { compileDocker } from './docker.ts';
import { compileDockerFlags, shellLines } from './docker-flags.ts';
import { compileLandlock } from './landlock.ts';
import { listProgram } from './listing.ts';
import { compileNftables } from './nftables.ts';
import { compileOci } from './oci.ts';
import { airlockTarget, type Place } from './place.ts';
import { compileSandboxRuntime } from './sandbox-runtime.ts';
import { compileSeatbelt } from './seatbelt.ts';
import { compileSeccomp } from './seccomp.ts';
import { compileToolHive } from './toolhive.ts';

/** Every form a policy can take, as text for people. */

export const compileTargets = [
  'oci',
  'bwrap',
  'landlock',
  'seccomp',
  'cgroup',
  'docker',
  'seatbelt',
  'nftables',
  'docker-flags',
  'sandbox-runtime',
  'toolhive',
] as const;
export type CompileTarget = (typeof compileTargets)[number];

/** The target that a caller named. */
export function readTarget(name: string): CompileTarget {
  const target = compileTargets.find((known) => known === name);
  if (target !== undefined) return target;
  const nearest = findNearest(name, compileTargets);
  throw new UsageError(`there is no form of a policy called ${JSON.stringify(name)}`, {
    hint: nearest === null ? `one of ${compileTargets.join(', ')}` : `did you mean ${nearest}?`,
  });
}

export interface CompiledText {
  readonly text: string;
  readonly gaps: readonly Gap[];
}

type Show = (policy: Policy, place: Place) => CompiledText;

function entryOf(place: Place): { readonly args: readonly string[]; readonly cwd: string } {
  return { args: [place.airlock.interpreter, airlockTarget], cwd: place.boxFolders.work };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
}

/** One option with its values per line. */
function argumentLines(list: readonly string[]): string {
  const end = list.indexOf('--');
  const options = list
    .slice(0, end)
    .map(oneLine)
    .map((word) => (word.startsWith('--') ? `\n${word}` : ` ${word}`));
  return `bwrap${options.join('')}\n${list.slice(end).join(' ')}\n`;
}

function cgroupLines(version: string, values: readonly CgroupValue[]): readonly string[] {
  return values.map(
    ({ controller, file, value, isOptional }) =>
      `${version} ${controller} ${file} = ${value}${isOptional ? ' (where there is one)' : ''}`,
  );
}

const forms: Readonly<Record<CompileTarget, Show>> = {
  oci: (policy, place) => {
    const { value, gaps } = compileOci(policy, place, { runtime: 'runc', ...entryOf(place) });
    return { text: json(value), gaps };
  },
  bwrap: (policy, place) => {
    const { value, gaps } = compileBwrap(policy, place, { seccompFd: 3, ...entryOf(place) });
    return { text: argumentLines(value), gaps };
  },
  landlock: (policy, place) => {
    const { value, gaps } = compileLandlock(policy, { ...place, boxFolders: place.hostFolders });
    return { text: `${value.lines.join('\n')}\n`, gaps };
  },
  seccomp: (policy, { architecture }) => {
    const { value, gaps } = compileSeccomp(policy, { architecture, hasNetworkNamespace: true });
    return {
      text: `${[`${value.instructions} instructions for ${architecture}`, ...listProgram(value.program)].join('\n')}\n`,
      gaps,
    };
  },
  cgroup: (policy) => {
    const { value, gaps } = compileCgroup(policy);
    return { text: `${[...cgroupLines('v1', value.v1), ...cgroupLines('v2', value.v2)].join('\n')}\n`, gaps };
  },
  docker: (policy, place) => {
    const { value, gaps } = compileDocker(policy, place, entryOf(place));
    return { text: json(value), gaps };
  },
  seatbelt: (policy, place) => {
    const { value, gaps } = compileSeatbelt(policy, { ...place, boxFolders: place.hostFolders });
    return { text: value, gaps };
  },
  nftables: (policy) => {
    const { value, gaps } = compileNftables(policy);
    return { text: value, gaps };
  },
  'docker-flags': (policy, place) => {
    const { value, gaps } = compileDockerFlags(policy, place);
    return { text: shellLines(value), gaps };
  },
  'sandbox-runtime': (policy) => {
    const { value, gaps } = compileSandboxRuntime(policy);
    return { text: asciiJson(value), gaps };
  },
  toolhive: (policy) => {
    const { value, gaps } = compileToolHive(policy);
    return { text: asciiJson(value), gaps };
  },
};

/** Names in a policy may hold any character; what cannot be seen is spelled out here, so the text is for reading only. */
export function compile(policy: Policy, target: CompileTarget, place: Place): CompiledText {
  const { text, gaps } = forms[target](policy, place);
  return { text: forTerminal(untrusted(text, Number.POSITIVE_INFINITY), { keepLines: true }), gaps };
}
