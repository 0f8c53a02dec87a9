import { HostError } from '../../../base/errors.ts';
import { adviseOn, findDiscouraged } from './advice.ts';
import { type Catastrophe, findCatastrophe } from './catastrophes.ts';
import type { Form, Judgement, ParsedCommand, SeenCommand } from './contract.ts';
import { type Grammar, loadGrammar, walkTree } from './grammar.ts';
import { isBlockDevice, isVital } from './paths.ts';
import { readProgram } from './pipelines.ts';
import { hasForkBomb, hasSubstitution, placesOf, seeCommands } from './seen.ts';
import { baseName, findCommands, innerLines, unwrap } from './wrappers.ts';

/** Command lines of people and agents: read by the grammar of bash, judged before anything runs. */

export type { Advisory, Judgement, ParsedCommand, Pipeline, Redirect, SeenCommand, Step } from './contract.ts';
export { quoteForDisplay } from './quote.ts';

export const acknowledgement = '--acknowledge-raw';

const mostLineBytes = 64 * 1024;
const mostDepth = 400;
const mostNodes = 100_000;
const mostNesting = 8;
const mostCommands = 2_000;

export interface CommandReader {
  /** Never throws: what cannot be read is refused. */
  readonly read: (line: string) => ParsedCommand;
  readonly close: () => void;
}

export async function openCommandReader(): Promise<CommandReader> {
  const grammar = await loadGrammar();
  return { read: (line) => readCommand(grammar, line), close: grammar.close };
}

/** For one line; whoever reads many opens a reader. */
export async function parseCommand(line: string): Promise<ParsedCommand> {
  const reader = await openCommandReader();
  try {
    return reader.read(line);
  } finally {
    reader.close();
  }
}

/** Asked with the line that is about to be run, so that none is run on the judgement of another. */
export function judgeCommand(parsed: ParsedCommand, line: string): Judgement {
  if (line !== parsed.given && line !== parsed.line) throw new HostError('the line is not the one that was read');
  return parsed.judgement;
}

interface Refusal {
  readonly rule: string;
  readonly why: string;
}

interface Looked {
  readonly form: Form;
  readonly seen: readonly SeenCommand[];
  readonly refusal: Refusal | null;
  readonly acknowledged: readonly { readonly from: number; readonly to: number }[];
}

function refuseText(line: string): Refusal | null {
  if (line.trim() === '') return { rule: 'empty', why: 'there is no command in it' };
  if (line.includes('\0')) return { rule: 'nul', why: 'it holds a NUL character' };
  if (!line.isWellFormed()) return { rule: 'text', why: 'it is no valid Unicode text' };
  return Buffer.byteLength(line) > mostLineBytes ? { rule: 'length', why: 'it is longer than 64 kB' } : null;
}

function look(grammar: Grammar, line: string): Looked {
  const failed = (refusal: Refusal): Looked => ({
    form: { kind: 'refused', ...refusal },
    seen: [],
    refusal,
    acknowledged: [],
  });
  const refusal = refuseText(line);
  if (refusal !== null) return failed(refusal);
  const tree = grammar.parse(line);
  if (tree === null) return failed({ rule: 'time', why: 'it takes too long to read' });
  try {
    const nodes = walkTree(tree.rootNode, mostDepth, mostNodes);
    if (nodes === null) return failed({ rule: 'depth', why: 'it is nested too deeply' });
    const seen = seeCommands(nodes);
    const acknowledged = placesOf(nodes, acknowledgement);
    const own = tree.rootNode.hasError
      ? { rule: 'syntax', why: 'it is no complete command line of bash' }
      : hasForkBomb(nodes)
        ? { rule: 'fork-bomb', why: 'a function starts itself again and again' }
        : hasSubstitution(nodes)
          ? { rule: 'substitution', why: 'it puts the output of a command or the value of an expansion into the line' }
          : null;
    return {
      form: own?.rule === 'syntax' ? { kind: 'refused', ...own } : readProgram(tree.rootNode),
      seen,
      refusal: own,
      acknowledged,
    };
  } finally {
    tree.delete();
  }
}

function readCommand(grammar: Grammar, given: string): ParsedCommand {
  const first = look(grammar, given);
  const isAcknowledged = first.acknowledged.length > 0;
  const line = isAcknowledged ? cutPlaces(given, first.acknowledged) : given;
  const looked = isAcknowledged ? look(grammar, line) : first;
  return {
    ...looked.form,
    given,
    line,
    isAcknowledged,
    seen: looked.seen,
    judgement: judge(grammar, looked, isAcknowledged),
  };
}

function cutPlaces(line: string, places: Looked['acknowledged']): string {
  const fromTheEnd = places.toSorted((left, right) => right.from - left.from);
  return fromTheEnd.reduce((text, { from, to }) => text.slice(0, from).replace(/[ \t]+$/, '') + text.slice(to), line);
}

function judge(grammar: Grammar, looked: Looked, isAcknowledged: boolean): Judgement {
  const { commands, refusal } = gather(grammar, looked);
  const unreadable = looked.form.kind === 'refused' ? looked.form : null;
  const found = findWorst(commands) ?? refusal ?? unreadable;
  if (found !== null) return { verdict: 'refused', rule: found.rule, why: found.why, advisories: [] };
  const advisories = adviseOn(looked.seen);
  const discouraged = isAcknowledged ? null : findDiscouraged(commands);
  if (discouraged === null) return { verdict: 'allowed', rule: null, why: null, advisories };
  const { rule, why, better } = discouraged;
  return { verdict: 'discouraged', rule, why, better: `${better}; or add ${acknowledgement}`, advisories };
}

/** All commands of the line and of the lines inside it. */
function gather(
  grammar: Grammar,
  start: Looked,
): { readonly commands: readonly SeenCommand[]; readonly refusal: Refusal | null } {
  const commands: SeenCommand[] = [];
  let refusal = start.refusal;
  let level: readonly SeenCommand[] = start.seen;
  for (let nesting = 0; level.length > 0; nesting += 1) {
    commands.push(...level);
    if (nesting > mostNesting || commands.length > mostCommands) {
      return { commands, refusal: refusal ?? { rule: 'depth', why: 'commands run commands too deeply' } };
    }
    level = level.flatMap(({ argv }) => {
      const lines = innerLines(argv)
        .filter((line) => line.trim() !== '')
        .map((line) => look(grammar, line));
      for (const inner of lines) refusal ??= inner.refusal;
      const wrapped = unwrap(argv);
      const found = baseName(argv[0]) === 'find' ? findCommands(argv).inner : [];
      const piped = baseName(argv[0]) === 'xargs' && wrapped !== null ? [[...wrapped, ...echoed(start.seen)]] : [];
      const inner = [...(wrapped === null ? [] : [wrapped]), ...piped, ...found].map((words) => ({
        argv: words,
        redirects: [],
      }));
      return [...lines.flatMap(({ seen }) => seen), ...inner];
    });
  }
  return { commands, refusal };
}

/** What `xargs` may be handed by the same line. */
function echoed(seen: readonly SeenCommand[]): readonly (string | null)[] {
  return seen
    .flatMap(({ argv }) => (/^(?:echo|printf)$/.test(baseName(argv[0])) ? argv.slice(1) : []))
    .map((word) => word?.trim() ?? null);
}

function findWorst(commands: readonly SeenCommand[]): Refusal | null {
  for (const { argv, redirects } of commands) {
    const writes = redirects.flatMap(({ mode, path }) => (mode === 'read' || path === null ? [] : [path]));
    const found: Catastrophe | null = argv.length === 0 ? null : findCatastrophe(argv);
    if (found !== null) return found;
    if (writes.some(isBlockDevice)) return { rule: 'write-device', why: 'it writes onto a disk past its file system' };
    if (writes.includes('/proc/sysrq-trigger'))
      return { rule: 'stop-machine', why: 'it stops or restarts the machine' };
    if (baseName(argv[0]) === 'find') {
      const { starts, inner, isDelete } = findCommands(argv);
      const removes = isDelete || inner.some((each) => /^(?:rm|shred|unlink|srm)$/.test(baseName(each[0])));
      if (removes && starts.some(isVital))
        return { rule: 'remove-system', why: 'it removes the system or a home folder' };
    }
  }
  return null;
}
