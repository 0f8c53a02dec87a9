import { posix } from 'node:path';
import { asString } from '../../../../base/json-shape.ts';
import { type CodeNeeds, readCode } from './code-needs.ts';
import type { Launch, LaunchFacts } from './contract.ts';
import { type Draft, toLaunch, withProps, withVariable } from './draft.ts';
import { ownArguments } from './example-match.ts';
import { fillArguments } from './fill-arguments.ts';
import { readBundleManifest, readServerJson } from './manifests.ts';
import { readOwnJson, readOwnText, readReadme } from './own-files.ts';
import { findPrograms, type Program, pythonOf } from './programs.ts';
import { readExamples, type StartExample } from './readme.ts';
import { readStartRules, type StartRules, type ValueRules } from './rules.ts';
import { readUsage } from './usage.ts';
import { kindOf } from './value-for.ts';

/** The first idea of how a server is started, from what the target says about itself. */

export interface Study {
  readonly programs: readonly Program[];
  /** Examples that start this server, with the arguments that are its own. */
  readonly examples: readonly (StartExample & { readonly own: readonly string[] })[];
  readonly readme: string;
  readonly needs: CodeNeeds;
  readonly rules: StartRules;
}

const freePort = 38080;
/** Behaviour is the server's own choice; only what it cannot guess is set from an example. */
const shownKinds = new Set([
  'secret',
  'url',
  'host',
  'folder',
  'file',
  'sqlite',
  'postgres',
  'redis',
  'email',
  'id',
  'word',
  'example',
]);

/** A program that only starts another one says little itself; its neighbours are read too. */
function readNeeds(facts: LaunchFacts, program: Program | undefined): CodeNeeds {
  const module = facts.name.replace(/[-.]+/g, '_');
  const file = program?.file ?? '';
  const folder = posix.dirname(file);
  const near = ['index.js', 'server.js', 'config.js', 'main.js'].map((name) => posix.join(folder, name));
  const python = ['__init__.py', 'server.py', '__main__.py', 'main.py'].map((name) => `${module}/${name}`);
  const paths = [...new Set([file, ...(pythonOf(facts) === null ? near : python)])].filter((path) => path !== '');
  const texts = paths.map((path) => readOwnText(facts.folder, path, 1024 * 1024) ?? '');
  const first = readCode(texts[0] ?? '');
  const all = readCode(texts.join('\n;\n'));
  return { ...all, usage: first.usage.length > 0 ? first.usage : all.usage };
}

function inBox(bundle: StartExample, inFolder: (word: string) => string): Study['examples'][number] {
  const pairs = Object.entries(bundle.environment).map(([name, value]) => [name, inFolder(value)]);
  return { ...bundle, own: bundle.args.map(inFolder), environment: Object.fromEntries(pairs) };
}

export function study(facts: LaunchFacts): Study {
  const rules = readStartRules();
  const bundle = readBundleManifest(readOwnJson(facts.folder, 'manifest.json'));
  const entry = facts.entry ?? bundle?.entry;
  const programs = findPrograms(entry === undefined ? facts : { ...facts, entry });
  const readme = readReadme(facts.folder);
  const inFolder = (word: string): string => word.replaceAll('{folder}', facts.installed.folder);
  const ofBundle = bundle === null ? [] : [inBox(bundle, inFolder)];
  const examples = readExamples(readme).flatMap((example) => {
    const own = ownArguments(example, facts, programs);
    return own === null ? [] : [{ ...example, own }];
  });
  return { programs, examples: [...ofBundle, ...examples], readme, needs: readNeeds(facts, programs[0]), rules };
}

export const unlikelyWords =
  /^(?:setup|install|uninstall|remove|update|upgrade|add|init|login|auth|configure|--?h(?:elp)?|--?v(?:ersion)?|--setup|--list.*)$/;

export function withExample(
  draft: Draft,
  example: Study['examples'][number],
  facts: LaunchFacts,
  rules: ValueRules,
): Draft {
  const { args, props, isConfined, because } = fillArguments(example.own, facts, rules);
  const filled = { ...draft, args, isConfined, because: [...draft.because, ...because] };
  let next = withProps(filled, props, 'wanted by an argument of the example');
  for (const [name, shown] of Object.entries(example.environment)) {
    if (shown.includes(`${facts.installed.folder}/`)) {
      next = { ...next, environment: { ...next.environment, [name]: shown } };
      continue;
    }
    if (!shownKinds.has(kindOf(name, shown, rules)) || /^(?:true|false|\d{1,6})$/.test(shown)) continue;
    next = withVariable(next, name, shown, 'in the example of its README', facts, rules);
  }
  return next;
}

/** From a line of usage, where nothing else told the arguments. */
export function withUsage(draft: Draft, line: string, why: string, facts: LaunchFacts, rules: ValueRules): Draft {
  const wanted = readUsage(line);
  if (wanted.length === 0) return draft;
  const words = wanted.flatMap(({ name, option }) => [...(option === undefined ? [] : [option]), `<${name}>`]);
  const { args, props, isConfined } = fillArguments(words, facts, rules);
  const because = [...draft.because, `arguments: ${why}`];
  return withProps({ ...draft, args, isConfined, because }, props, why);
}

function fromCommand(draft: Draft, facts: LaunchFacts): Draft | null {
  const args = facts.command?.args ?? [];
  return args.length === 0 ? null : { ...draft, args, because: [...draft.because, 'arguments: of the command given'] };
}

function isHttpOnly({ needs, examples, readme }: Study, declared: 'stdio' | 'http' | undefined): boolean {
  if (declared !== undefined) return declared === 'http';
  const hasCommand = examples.some(({ from }) => from === 'config');
  return needs.listens && !needs.speaksStdio && !hasCommand && !/stdio/i.test(readme);
}

export function planDraft(facts: LaunchFacts, known: Study): Draft {
  const { programs, examples, needs, rules } = known;
  const fallback: Program = { name: facts.name, path: facts.installed.folder, python: null, rank: 0 };
  const program = programs[0] ?? fallback;
  const start: Draft = {
    program,
    args: [],
    environment: {},
    transport: 'stdio',
    props: [],
    isConfined: false,
    because: [],
  };
  const isOwn = (name: string): boolean =>
    name === facts.name || name === asString(readOwnJson(facts.folder, 'package.json').name);
  const declared = readServerJson(readOwnJson(facts.folder, 'server.json'), isOwn);
  const example = examples.find(({ own }) => !own.some((word) => unlikelyWords.test(word)));
  const told = fromCommand(start, facts);
  let draft = told ?? start;
  if (example !== undefined) {
    const shown = withExample(draft, example, facts, rules.values);
    draft = told === null ? shown : { ...shown, args: told.args, isConfined: false };
  }
  if (draft.args.length === 0 && declared.args.length > 0) {
    const { args, props, isConfined } = fillArguments(declared.args, facts, rules.values);
    draft = withProps(
      { ...draft, args, isConfined, because: [...draft.because, 'arguments: of its server.json'] },
      props,
      'wanted by its server.json',
    );
  }
  const [usage] = needs.usage;
  if (draft.args.length === 0 && example === undefined && usage !== undefined)
    draft = withUsage(draft, usage, 'usage told in its code', facts, rules.values);
  for (const option of needs.options) {
    if (draft.args.some((word) => word === option || word.startsWith(`${option}=`))) continue;
    const { args, props, isConfined } = fillArguments([option, `<${option.slice(2)}>`], facts, rules.values);
    draft = withProps(
      { ...draft, args: [...draft.args, ...args], isConfined: draft.isConfined || isConfined },
      props,
      'its code insists on it',
    );
  }
  for (const { name, example: shown } of declared.variables)
    draft = withVariable(draft, name, shown, 'required by its server.json', facts, rules.values);
  for (const name of needs.variables)
    draft = withVariable(draft, name, undefined, 'its code ends without it', facts, rules.values);
  if (!isHttpOnly(known, declared.transport)) return draft;
  const environment = needs.readsPort ? { ...draft.environment, PORT: String(freePort) } : draft.environment;
  const because = [...draft.because, 'transport: it only listens'];
  return { ...draft, transport: 'http', environment, because, ...(needs.readsPort ? { port: freePort } : {}) };
}

export function planLaunch(facts: LaunchFacts): Launch {
  return toLaunch(planDraft(facts, study(facts)), facts);
}
