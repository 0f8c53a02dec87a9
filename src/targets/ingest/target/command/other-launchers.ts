import type { TargetContext } from '../contract.ts';
import { parsePath } from '../file-format.ts';
import { parseImage } from '../image-spec.ts';
import { isPlainCommand, splitWords } from '../split-words.ts';
import type { HandsOver, Launcher, Started } from './launcher.ts';
import { lastValue, readOptions } from './options.ts';

/** Of `docker run`, every option but these takes a value. */
const dockerFlags = new Set([
  ...['-d', '--detach', '--disable-content-trust', '--help', '--init', '-i', '--interactive', '--no-healthcheck'],
  ...['--oom-kill-disable', '--privileged', '-P', '--publish-all', '-q', '--quiet', '--read-only', '--rm'],
  ...['--sig-proxy', '-t', '--tty', '--use-api-socket', '--replace', '--tls-verify', '--no-hosts', '--rmi'],
]);

const dockerShortValues = ['-a', '-c', '-e', '-h', '-l', '-m', '-p', '-u', '-v', '-w'];
const dockerGlobalValues = ['--config', '-c', '--context', '-H', '--host', '-l', '--log-level', '--tlscacert'];

function readDocker(words: readonly string[], _context: TargetContext): Started | undefined {
  const global = readOptions(words, { withValue: [...dockerGlobalValues, '--tlscert', '--tlskey'] });
  const verbAt = global.rest[0] === 'container' ? 1 : 0;
  if (global.rest[verbAt] !== 'run') return undefined;
  const rest = global.rest.slice(verbAt + 1);
  const longValues = rest.filter((word) => word.startsWith('--') && !word.includes('=') && !dockerFlags.has(word));
  const { rest: positional } = readOptions(rest, { withValue: [...longValues, ...dockerShortValues] });
  const [image, ...args] = positional;
  return image === undefined ? undefined : { starts: parseImage(image), args };
}

function readShell(words: readonly string[]): HandsOver | undefined {
  const options = readOptions(words, { withValue: ['-c', '-o'] });
  const line = lastValue(options, '-c');
  if (line !== undefined) return isPlainCommand(line) ? { handsOver: splitWords(line) } : undefined;
  return undefined;
}

function readEnv(words: readonly string[]): HandsOver {
  const options = readOptions(words, { withValue: ['-u', '--unset', '-C', '--chdir'] });
  const start = options.rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return { handsOver: start === -1 ? [] : options.rest.slice(start) };
}

function readWindowsShell(words: readonly string[]): HandsOver | undefined {
  const at = words.findIndex((word) => /^\/[ck]$/i.test(word));
  if (at === -1) return undefined;
  const rest = words.slice(at + 1);
  const isOneLine = rest.length === 1 && /\s/.test(rest[0] ?? '');
  return { handsOver: isOneLine ? splitWords(rest[0] ?? '') : rest };
}

function readJava(words: readonly string[], context: TargetContext): Started | undefined {
  const at = words.indexOf('-jar');
  const file = at === -1 ? undefined : words[at + 1];
  return file === undefined ? undefined : { starts: parsePath(file, context, true), args: words.slice(at + 2) };
}

export const otherLaunchers: readonly Launcher[] = [
  { names: ['docker', 'podman', 'nerdctl'], read: readDocker },
  { names: ['sh', 'bash', 'zsh', 'dash'], read: readShell },
  { names: ['env'], read: readEnv },
  { names: ['cmd'], read: readWindowsShell },
  { names: ['java'], read: readJava },
];
