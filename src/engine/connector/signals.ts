import { constants } from 'node:os';
import type { LaneEnd } from './lane.ts';

/**
 * A shell says 128 + n of a program that signal n ended, and a program may say the same number by itself. Only signals that
 * end programs in earnest are read that way; 129, say, is an ordinary answer of many.
 */
const telling = new Set([
  'SIGINT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGSEGV',
  'SIGPIPE',
  'SIGTERM',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGSYS',
]);

const byNumber = new Map(
  Object.entries(constants.signals)
    .filter(([name]) => telling.has(name))
    .map(([name, number]) => [number, name]),
);

export function readShellCode(code: number): LaneEnd {
  const signal = byNumber.get(code - 128);
  return signal === undefined ? { code, signal: null } : { code: null, signal };
}
