import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import type { FailedStart } from './contract.ts';
import { readError, type Wish } from './read-error.ts';
import { readStartRules, type WishKind } from './rules.ts';

/** The best guess why a server did not start, for people. */

const clean = (text: string): string => forTerminal(untrusted(text, 300));

const sayings: Readonly<Record<WishKind, (name: string) => string>> = {
  variable: (name) => `it wants the variable ${name}`,
  option: (name) => `it wants the option ${name}`,
  argument: (name) => `it wants an argument: ${name}`,
  service: (name) => `it wants a service that is not there: ${name}`,
  program: (name) => `it wants the program ${name}, which is not in the box`,
  port: (name) => `it says that it listens on port ${name} and does not speak over its streams`,
  module: (name) => `a module that it loads is missing: ${name}`,
  memory: () => 'it ran out of memory',
  browser: () => 'it wants a browser, which is not in the box',
  library: (name) => `a library or native part of it is missing: ${name}`,
  version: (name) => `it does not run on this version: ${name}`,
};

/** What explains a failure best comes first. */
const order: readonly WishKind[] = [
  'memory',
  'version',
  'module',
  'library',
  'browser',
  'variable',
  'option',
  'argument',
  'service',
  'program',
  'port',
];

function lastWords(text: string): string {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at\s|^Node\.js v/.test(line));
  const telling =
    lines.findLast((line) => /error|cannot|fail|missing|required|usage|denied/i.test(line)) ?? lines.at(-1);
  return telling === undefined ? '' : clean(telling);
}

function howItEnded({ is, code, signal, listens }: FailedStart): string {
  if (is === 'refused') return 'it answered the handshake with an error';
  if (is === 'exited')
    return signal === null
      ? `it ended with code ${code} before it answered`
      : `it was ended by ${clean(signal)} before it answered`;
  return listens.length === 0
    ? 'it runs and does not answer'
    : `it listens on port ${listens.slice(0, 4).join(', ')} and does not answer`;
}

export function diagnose(failed: FailedStart): string {
  const text = `${failed.stdoutTail}\n${failed.stderrTail}`;
  const { wishes, usage } = readError(text, readStartRules().errors);
  const isNew = ({ kind, name }: Wish): boolean =>
    kind !== 'variable' || !Object.hasOwn(failed.launch.environment, name);
  const best = wishes.filter(isNew).sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind))[0];
  const [line] = usage;
  const guess =
    best === undefined
      ? line === undefined
        ? ''
        : `it wants other arguments: ${clean(line)}`
      : sayings[best.kind](clean(best.name));
  const words = lastWords(failed.stderrTail) || lastWords(failed.stdoutTail);
  return [howItEnded(failed), guess, words === '' ? '' : `it said: ${words}`].filter((part) => part !== '').join('; ');
}
