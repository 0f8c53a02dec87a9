import type { Analysis } from '../../../base/analysis-schema.ts';
import type { RunDifference } from './contract.ts';
import { asBytes, asText, byKey, cut, keyOf, type LeaveOut, onlyIn } from './lists.ts';

/** What the target did in one run and not in the other: hosts, kinds of file, programs. */

type Behaviour = RunDifference['behaviour'];
type Host = Behaviour['hosts']['new'][number];
type File = Behaviour['files']['new'][number];
type Program = Behaviour['programs']['new'][number];

/** Parts of a name that chance, a clock or a counter chose. */
const varying = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}|\d{3,}/gi;
const temporary = /(\/tmp\/[A-Za-z_.-]*)[^/]*/g;

export function steadyPath(path: string): string {
  return path.replace(varying, '*').replace(temporary, '$1*').replace(/\*+/g, '*');
}

function hostsOf({ hosts }: Analysis): Map<string, Host> {
  const entries = hosts.map(({ host, ports, isDeclared, leaks }) => ({ host, ports, isDeclared, leaks }));
  return byKey(entries, ({ host }) => keyOf(host));
}

function filesOf({ files }: Analysis): Map<string, File> {
  const entries = files.map(({ path, access, is }): File => {
    const isNamed = is === 'decoy' || is === 'other';
    return { access, is, path: isNamed ? asBytes(steadyPath(asText(path))) : null };
  });
  return byKey(entries, ({ access, is, path }) => [is, path === null ? '' : keyOf(path), access].join('\0'));
}

function programsOf({ processes }: Analysis): Map<string, Program> {
  const entries = processes.map(({ name, argv: [first] }) => ({
    program: asBytes(
      steadyPath(asText(first ?? name))
        .split('/')
        .at(-1) ?? '',
    ),
  }));
  return byKey(entries, ({ program }) => keyOf(program));
}

function sides<T>(
  list: string,
  read: (analysis: Analysis) => Map<string, T>,
  [before, after]: readonly [Analysis, Analysis],
  leaveOut: LeaveOut,
): { new: T[]; gone: T[] } {
  const [first, second] = [read(before), read(after)];
  return {
    new: cut(onlyIn(first, second), `${list}.new`, leaveOut),
    gone: cut(onlyIn(second, first), `${list}.gone`, leaveOut),
  };
}

const nothing = { new: [], gone: [] };

export function compareBehaviour(pair: readonly [Analysis, Analysis] | null, leaveOut: LeaveOut): Behaviour {
  if (pair === null) return { hosts: nothing, files: nothing, programs: nothing };
  return {
    hosts: sides('hosts', hostsOf, pair, leaveOut),
    files: sides('files', filesOf, pair, leaveOut),
    programs: sides('programs', programsOf, pair, leaveOut),
  };
}
