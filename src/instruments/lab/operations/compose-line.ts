import { UsageError } from '../../../base/errors.ts';
import { quoteArgument } from '../../../engine/connector/index.ts';
import { type ParsedCommand, type Pipeline, quoteForDisplay, type Redirect, type Step } from '../commands/index.ts';
import type { Command } from '../workbench/contract.ts';

/** A parsed line as something to run: one program is run as it is; of several every word is quoted by us, so that a shell does no more than join them. */

export interface Desktop {
  /** What a word of the line stands for on the desk. */
  readonly paths: ReadonlyMap<string, string>;
  readonly inputFile: string | undefined;
  readonly output: string;
}

const outputMark = '%OUTPUT%';
const joints = { always: ' ; ', success: ' && ', failure: ' || ' } as const;
const marks: Readonly<Record<Redirect['mode'], string>> = { read: '<', write: '>', append: '>>' };

function place(word: string, { paths, output }: Desktop): string {
  const known = paths.get(word);
  if (known !== undefined) return known;
  return word.startsWith(outputMark) ? output + word.slice(outputMark.length) : word;
}

function placeStep(step: Step, desk: Desktop, isFirst: boolean): Step {
  const argv = step.argv.map((word, at) => (at === 0 ? word : place(word, desk)));
  const extra = isFirst && desk.inputFile !== undefined ? [place(desk.inputFile, desk)] : [];
  return {
    ...step,
    argv: [...argv, ...extra],
    redirects: step.redirects.map((redirect) => ({ ...redirect, path: place(redirect.path, desk) })),
  };
}

function writeStep({ argv, redirects, isErrorJoined }: Step): string {
  const words = argv.map(quoteArgument).join(' ');
  const redirected = redirects.map(({ fd, mode, path }) => ` ${fd}${marks[mode]}${quoteArgument(path)}`).join('');
  return words + redirected + (isErrorJoined ? ' 2>&1' : '');
}

function writePipelines(pipelines: readonly Pipeline[]): string {
  return pipelines
    .map(({ when, steps }, at) => (at === 0 ? '' : joints[when]) + steps.map(writeStep).join(' | '))
    .join('');
}

export function composeLine(
  parsed: ParsedCommand,
  desk: Desktop,
): { readonly command: Command; readonly words: string } {
  if (parsed.kind === 'refused') throw new UsageError(parsed.why);
  if (parsed.kind === 'shell') {
    const extra = desk.inputFile === undefined ? '' : ` ${quoteArgument(place(desk.inputFile, desk))}`;
    // Copies lie in the working folder under their own names, so that a relative name in the line finds them.
    const shell = parsed.line.replaceAll(outputMark, () => desk.output) + extra;
    return { command: { shell }, words: shell };
  }
  const pipelines = parsed.pipelines.map(({ when, steps }, at) => ({
    when,
    steps: steps.map((step, index) => placeStep(step, desk, at === 0 && index === 0)),
  }));
  const [only, ...others] = pipelines;
  const [step, ...rest] = only?.steps ?? [];
  if (
    step !== undefined &&
    others.length === 0 &&
    rest.length === 0 &&
    step.redirects.length === 0 &&
    !step.isErrorJoined
  ) {
    return { command: { argv: step.argv }, words: quoteForDisplay(step.argv) };
  }
  const shell = writePipelines(pipelines);
  return { command: { shell }, words: shell };
}
