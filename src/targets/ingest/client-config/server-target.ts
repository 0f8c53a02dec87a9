import { UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { parseCommand } from '../target/command/parse-command.ts';
import type { CommandTarget, RemoteTarget, TargetContext } from '../target/contract.ts';
import { resolvePath } from '../target/file-format.ts';
import { splitWords } from '../target/split-words.ts';
import type { ConfiguredServer } from './contract.ts';

/** What a configured server is: the command it would start, or the place it is at. */
export function targetOfServer(server: ConfiguredServer, context: TargetContext): CommandTarget | RemoteTarget {
  const { command, args, cwd, url } = server;
  if (command !== undefined) {
    // Some clients take a whole command line where the program is named.
    const isLine = args.length === 0 && /\s/.test(command) && !/^[/\\~]|^[A-Za-z]:/.test(command);
    const argv = isLine ? splitWords(command) : [command, ...args];
    return parseCommand(argv, cwd === undefined ? context : { ...context, cwd: resolvePath(cwd, context) });
  }
  if (url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) {
    return { kind: 'remote', url: new URL(url).href };
  }
  throw new UsageError(
    `server ${JSON.stringify(server.name)}: ${url === undefined ? 'no command' : 'its URL is none of the web'}`,
  );
}

const secretOption = /(token|key|secret|passw(or)?d|auth|credential|bearer|header)/i;

/** Arguments as they may be shown: what follows an option that sounds like a secret is hidden. */
export function shownArgs(args: readonly string[]): string[] {
  return args.map((word, index) => {
    const before = args[index - 1] ?? '';
    const assignment = /^(--?[\w-]+|[A-Za-z_]\w*)=(.+)$/s.exec(word);
    if (assignment !== null && secretOption.test(assignment[1] ?? '')) return `${assignment[1]}=(hidden)`;
    const isValue = /^--?[\w-]+$/.test(before) && secretOption.test(before) && !word.startsWith('-');
    return isValue ? '(hidden)' : shownUrl(word);
  });
}

/** A URL without its password and without the values of its query. */
export function shownUrl(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.password !== '') url.password = 'hidden';
  else if (url.username !== '') url.username = 'hidden';
  for (const name of [...url.searchParams.keys()]) url.searchParams.set(name, 'hidden');
  return url.href;
}

/** One line for people, without a secret and without a control character. */
export function describeServer(server: ConfiguredServer): string {
  const what =
    server.command === undefined ? shownUrl(server.url ?? '') : [server.command, ...shownArgs(server.args)].join(' ');
  const names = [...server.environment].map(([name, value]) => `${name}=${value}`).join(' ');
  const line = `${server.name}: ${what}${names === '' ? '' : ` [${names}]`}${server.isDisabled ? ' (disabled)' : ''}`;
  return forTerminal(untrusted(line));
}
