import type { Launch, LaunchFacts, Prop } from './contract.ts';
import { argvOf, type Program } from './programs.ts';
import type { ValueRules } from './rules.ts';
import { valueFor } from './value-for.ts';

/** A launch while it is thought about; every change makes a new one. */

export interface Draft {
  readonly program: Program;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly transport: 'stdio' | 'http';
  readonly port?: number;
  readonly props: readonly Prop[];
  readonly isConfined: boolean;
  readonly because: readonly string[];
}

const mostReasons = 64;

const sameProp = (left: Prop, right: Prop): boolean => left.kind === right.kind && left.name === right.name;

export function withProps(draft: Draft, props: readonly Prop[], why: string): Draft {
  const fresh = props.filter((prop) => !draft.props.some((own) => sameProp(own, prop)));
  const because = fresh.map(({ kind, name }) => `${kind} ${name}: ${why}`);
  return { ...draft, props: [...draft.props, ...fresh], because: [...draft.because, ...because] };
}

/** One that has a value keeps it. */
export function withVariable(
  draft: Draft,
  name: string,
  example: string | undefined,
  why: string,
  facts: LaunchFacts,
  rules: ValueRules,
): Draft {
  if (Object.hasOwn(draft.environment, name) || !/^[A-Za-z_]\w{0,199}$/.test(name)) return draft;
  const { value, props, kind } = valueFor(name, example, facts, rules);
  const because = [...draft.because, `variable ${name}: ${kind}, ${why}`];
  return withProps({ ...draft, environment: { ...draft.environment, [name]: value }, because }, props, why);
}

/** What the user gave comes last, over everything. */
export function toLaunch(draft: Draft, { given, installed }: LaunchFacts): Launch {
  const { program, transport, port, isConfined } = draft;
  const all = withProps(draft, given.props, 'given');
  const args = given.args.length > 0 ? given.args : draft.args;
  const quiet = program.python === null ? {} : { PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' };
  return {
    argv: [...argvOf(program), ...args],
    cwd: installed.folder,
    environment: { ...quiet, ...draft.environment, ...given.environment },
    transport,
    ...(port === undefined ? {} : { port }),
    props: all.props.map((prop) => given.props.find((own) => sameProp(own, prop)) ?? prop),
    isConfined: given.args.length > 0 ? false : isConfined,
    because: all.because.slice(0, mostReasons),
  };
}
