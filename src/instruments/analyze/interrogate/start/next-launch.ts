import type { FailedStart, Launch, LaunchFacts, Prop } from './contract.ts';
import { type Draft, toLaunch, withProps, withVariable } from './draft.ts';
import { fillArguments } from './fill-arguments.ts';
import { planDraft, type Study, study, unlikelyWords, withExample, withUsage } from './plan-launch.ts';
import { argvOf } from './programs.ts';
import { type ErrorWishes, readError } from './read-error.ts';

/** A better idea after a start that failed: what the failure asked for first, then what else the target has to offer. */

const mostStarts = 5;

function resume(failed: FailedStart, facts: LaunchFacts, known: Study): Draft {
  const { launch } = failed;
  const planned = planDraft(facts, known);
  const program =
    known.programs.find((each) => argvOf(each).every((word, at) => launch.argv[at] === word)) ?? planned.program;
  const { environment, transport, port, props, isConfined, because } = launch;
  const args = launch.argv.slice(argvOf(program).length);
  return { program, args, environment, transport, props, isConfined, because, ...(port === undefined ? {} : { port }) };
}

const services: Readonly<Record<string, 'postgres' | 'redis'>> = {
  '5432': 'postgres',
  '6379': 'redis',
  postgres: 'postgres',
  redis: 'redis',
};

function propOf(kind: string, name: string, { rules }: Study): Prop | null {
  const service = services[name];
  if (kind === 'service') return service === undefined ? null : { kind: 'service', name: service };
  const program = name.split('/').at(-1) ?? '';
  if (program === '' || /^(?:node|npm|npx|python3?|sh|bash|env)$/.test(program)) return null;
  return { kind: 'program', name: program, text: rules.errors.stubs[program] ?? `${program} 1.0.0\n` };
}

/** Everything that the error names, at once. */
function withWishes(draft: Draft, { wishes, usage }: ErrorWishes, facts: LaunchFacts, known: Study): Draft {
  const { values } = known.rules;
  let next = draft;
  for (const { kind, name } of wishes) {
    if (kind === 'variable') next = withVariable(next, name, undefined, 'its error text asks for it', facts, values);
    if (kind === 'option' && !next.args.includes(name)) {
      const { args, props, isConfined } = fillArguments([name, `<${name.slice(2)}>`], facts, values);
      next = withProps(
        { ...next, args: [...next.args, ...args], isConfined: next.isConfined || isConfined },
        props,
        'its error text asks for it',
      );
    }
    const prop = kind === 'service' || kind === 'program' ? propOf(kind, name, known) : null;
    if (prop !== null) next = withProps(next, [prop], 'its error text asks for it');
  }
  if (next.args.length > 0 && next.args !== draft.args) return next;
  const [line] = usage;
  const used = line === undefined ? next : withUsage(next, line, 'usage told when it ended', facts, values);
  if (used.args.length > 0) return used;
  const place = wishes.find(({ kind }) => kind === 'argument');
  return place === undefined
    ? used
    : withUsage(used, `<${place.name.replace(/\s+/g, '-')}>`, 'its error text asks for it', facts, values);
}

function asHttp(draft: Draft, port: number): Draft {
  return { ...draft, transport: 'http', port, because: [...draft.because, `transport: it listens on port ${port}`] };
}

/** In a list of commands, in argparse's braces, or after the name of the program. */
function listsCommand(text: string, word: string, program: string): boolean {
  const isListed = new RegExp(`(?:^|\\n)\\s{1,8}${word}\\b|\\{[^}\\n]{0,200}\\b${word}\\b`).test(text);
  return isListed || text.includes(`${program} ${word}`);
}

/** Ideas that do not come from the error: other words, other programs, other examples. */
function* otherIdeas(draft: Draft, failed: FailedStart, facts: LaunchFacts, known: Study): Generator<Draft> {
  const { readme, rules, programs, examples } = known;
  const text = `${readme}\n${failed.stderrTail}\n${failed.stdoutTail}`;
  const told = (idea: string, args: readonly string[]): Draft => ({
    ...draft,
    args,
    because: [...draft.because, idea],
  });
  if (/--stdio\b/.test(text) && !draft.args.includes('--stdio'))
    yield told('argument --stdio: it knows the word', [...draft.args, '--stdio']);
  if (/--transport\b/.test(text) && !draft.args.includes('--transport'))
    yield told('argument --transport stdio: it knows the word', [...draft.args, '--transport', 'stdio']);
  for (const word of rules.errors.subcommands) {
    if (draft.args[0] === word) continue;
    const isCommand = listsCommand(text, word, facts.name.split('/').at(-1) ?? '');
    if (isCommand) yield told(`argument ${word}: it lists this command`, [word, ...draft.args]);
  }
  for (const example of examples.filter(({ own }) => !own.some((word) => unlikelyWords.test(word))))
    yield withExample({ ...draft, args: [], isConfined: false }, example, facts, rules.values);
  for (const program of programs) {
    if (program.path !== draft.program.path)
      yield {
        ...draft,
        program,
        because: [...draft.because, `program ${program.name}: the one before did not answer`],
      };
  }
  if (draft.args.length > 0) yield { ...told('no arguments: those of the example did not do', []), isConfined: false };
}

const fingerprint = ({ argv, environment, transport, port, props }: Launch): string =>
  JSON.stringify([argv, Object.keys(environment).sort(), transport, port, props.map(({ kind, name }) => [kind, name])]);

export function nextLaunch(failed: readonly FailedStart[], facts: LaunchFacts): Launch | null {
  const last = failed.at(-1);
  if (last === undefined || failed.length >= mostStarts) return null;
  const known = study(facts);
  const tried = new Set(failed.map(({ launch }) => fingerprint(launch)));
  const draft = resume(last, facts, known);
  const found = readError(`${last.stdoutTail}\n${last.stderrTail}`, known.rules.errors);
  const ideas = function* (): Generator<Draft> {
    const [port] = last.listens;
    const said = found.wishes.find(({ kind }) => kind === 'port');
    if (port !== undefined && draft.transport === 'stdio') yield asHttp(draft, port);
    yield withWishes(draft, found, facts, known);
    if (last.is === 'silent' && said !== undefined) yield asHttp(draft, Number(said.name));
    yield* otherIdeas(draft, last, facts, known);
  };
  for (const idea of ideas()) {
    const launch = toLaunch(idea, facts);
    if (!tried.has(fingerprint(launch))) return launch;
  }
  return null;
}
