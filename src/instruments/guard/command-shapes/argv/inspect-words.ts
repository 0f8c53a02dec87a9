import { baseName, findProgram, type Program, programById } from '../rules.ts';
import { startsPrograms } from './awk-text.ts';
import { handOver, noteVariable } from './hand-over.ts';
import type { Look } from './look.ts';
import { readPowerShell } from './powershell.ts';
import { type ReadWords, readWords } from './read-options.ts';
import { sedStartsPrograms } from './sed-text.ts';
import { isHarmful } from './value-test.ts';
import { readCmd } from './windows-cmd.ts';

/** Looks at words as the program they start would: what it would run that its name does not say. */

const readsInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/;
const onlyTells = /^-(?:-version|-help|[vVh]|-v8-options|-check)$/;

interface Subject {
  readonly program: Program;
  readonly name: string;
  readonly words: readonly string[];
  /** Words that name the program, with its verb. */
  readonly way: readonly string[];
  readonly look: Look;
}

function checkOptions({ program, way, look }: Subject, { options }: ReadWords): void {
  for (const option of options) {
    for (const hit of program.hits) {
      if (!hit.options.includes(option.name) || !isHarmful(hit, option.value)) continue;
      look.found.hit(hit.shape, [...way, ...option.words]);
    }
  }
}

function checkOperands({ program, way, look }: Subject, { operands }: ReadWords): void {
  for (const rule of program.operands) {
    operands.forEach((operand, at) => {
      if (rule.at !== undefined && rule.at !== at) return;
      if (isHarmful(rule, operand, operands[at + 1]))
        look.found.hit(rule.shape, [...way, ...operands.slice(at, at + 2)]);
    });
  }
}

function takeNotes({ program, way, look }: Subject, { options, operands }: ReadWords): void {
  for (const { at, unless, not, says } of program.notes) {
    const operand = operands[at];
    if (operand === undefined || options.some(({ name }) => unless.includes(name))) continue;
    if (!new RegExp(not, 'u').test(operand.toLowerCase())) look.found.note(says, [...way, operand]);
  }
}

/** An interpreter without a program of its own reads one from its input. */
function checkInput({ program, way, look }: Subject, { options, operands }: ReadWords): void {
  if (program.isBare === undefined) return;
  const isEnded = options.some(
    ({ name }) =>
      program.ends.includes(name) || onlyTells.test(name) || program.hits.some((hit) => hit.options.includes(name)),
  );
  const [first] = operands;
  if (first === undefined ? !isEnded : readsInput.test(first)) {
    look.found.hit(program.isBare, [...way, ...operands.slice(0, 1)]);
  }
}

const readers: {
  readonly [Name in NonNullable<Program['reader']>]: (subject: Subject, read: ReadWords) => void;
} = {
  powershell: ({ name, words, way, look }) => {
    const hit = readPowerShell(name, words);
    if (hit !== null) look.found.hit(hit.shape, [...way, ...hit.words]);
  },
  cmd: ({ words, way, look }) => {
    const line = readCmd(words);
    if (line === null) return;
    if (line.isPlainLaunch) look.found.note('a shell of Windows that only starts a launcher', [...way, ...line.words]);
    else look.found.hit('shell-line', [...way, ...line.words]);
    if (line.inner.length > 0) look.words(line.inner, [...way, '/c']);
  },
  awk: ({ way, look }, { options, operands }) => {
    const given = options.filter(({ name }) => name === '-e' || name === '--source').map(({ value }) => value ?? '');
    const isFile = options.some(({ name }) => ['-f', '--file', '-E', '--exec'].includes(name));
    const texts = given.length > 0 || isFile ? given : operands.slice(0, 1);
    for (const text of texts) if (startsPrograms(text)) look.found.hit('executing-expression', [...way, text]);
  },
  sed: ({ way, look }, { options, operands }) => {
    if (options.some(({ name }) => name === '--sandbox')) return;
    const given = options.filter(({ name }) => name === '-e' || name === '--expression');
    const isFile = options.some(({ name }) => name === '-f' || name === '--file');
    const texts = given.length > 0 || isFile ? given.map(({ value }) => value ?? '') : operands.slice(0, 1);
    for (const text of texts) if (sedStartsPrograms(text)) look.found.hit('executing-expression', [...way, text]);
  },
};

function inspect(subject: Subject): void {
  const { program, words, way, look } = subject;
  const read = readWords(program, words);
  checkOptions(subject, read);
  if (program.reader !== undefined) readers[program.reader](subject, read);
  const [verb, ...rest] = read.operands;
  const next = verb === undefined ? undefined : (program.verbs?.[verb.toLowerCase()] ?? program.verbs?.['*']);
  const sub = next === undefined || verb === undefined ? undefined : programById(next);
  if (sub !== undefined && verb !== undefined) {
    inspect({ ...subject, program: sub, words: rest, way: [...way, verb] });
    return;
  }
  checkOperands(subject, read);
  takeNotes(subject, read);
  checkInput(subject, read);
  handOver({ program, words, read, way, look });
}

const assignment = /^[A-Za-z_]\w*=/;

export function inspectWords(argv: readonly string[], look: Look): void {
  const start = argv.findIndex((word) => !assignment.test(word));
  const own = argv.slice(start === -1 ? argv.length : start);
  for (const word of argv.slice(0, argv.length - own.length)) noteVariable(word, [...look.way, word], look);
  const [first = '', ...words] = own;
  const name = baseName(first);
  const program = findProgram(name);
  if (program !== undefined) inspect({ program, name, words, way: [...look.way, first], look });
}
