import { describeError, HostError, type KnownError, TargetError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';

interface Meaning {
  readonly isTarget: boolean;
  readonly what: string;
  readonly hint?: string;
}

const meanings: Readonly<Record<string, Meaning>> = {
  E404: { isTarget: true, what: 'the registry has no such package' },
  ETARGET: { isTarget: true, what: 'no version fits' },
  ENOVERSIONS: { isTarget: true, what: 'the package has no versions' },
  EINTEGRITY: { isTarget: true, what: 'the file is not the one that the registry describes' },
  ENOTCACHED: { isTarget: false, what: 'it is not in the cache', hint: 'run once without --offline' },
  E401: { isTarget: false, what: 'the registry wants credentials', hint: 'npm login' },
  E403: { isTarget: false, what: 'the registry refuses', hint: 'npm config list shows which registry is asked' },
};

/** Whose fault it is when npm's registry does not give a package. */
export function explainNpmError(error: unknown, operation: string): KnownError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const meaning = meanings[code];
  const detail = forTerminal(untrusted(describeError(error), 300));
  if (meaning === undefined) {
    return new HostError(`${operation}: the registry cannot be used: ${detail}`, {
      cause: error,
      hint: 'npm ping says whether npm reaches its registry; its settings are used here too',
    });
  }
  const message = `${operation}: ${meaning.what} (${detail})`;
  if (meaning.isTarget) return new TargetError(message, { cause: error });
  return new HostError(message, { cause: error, ...(meaning.hint === undefined ? {} : { hint: meaning.hint }) });
}
