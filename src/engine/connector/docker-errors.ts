import { describeError, HostError, isKnownError } from '../../base/errors.ts';
import { show } from './checks.ts';

interface Told {
  readonly statusCode?: unknown;
  readonly code?: unknown;
}

interface Reason {
  readonly fits: (told: Told, message: string) => boolean;
  readonly message: (container: string, socketPath: string) => string;
  readonly hint: (container: string, socketPath: string) => string;
}

const reasons: readonly Reason[] = [
  {
    fits: ({ code }) => code === 'EACCES' || code === 'EPERM',
    message: (_, socketPath) => `the docker engine at ${socketPath} may not be spoken to`,
    hint: () => 'run as a user of the group docker, or as root',
  },
  {
    fits: ({ code }) => typeof code === 'string' && /^(ENOENT|ECONNREFUSED|ENOTSOCK|ECONNRESET|EPIPE)$/.test(code),
    message: (_, socketPath) => `no docker engine answers at ${socketPath}`,
    hint: () => 'start the engine, or name its socket',
  },
  {
    fits: ({ statusCode }, message) => statusCode === 404 && /no such container/i.test(message),
    message: (container) => `there is no container ${container}`,
    hint: () => 'docker ps -a lists those there are',
  },
  {
    fits: ({ statusCode }, message) => statusCode === 409 && /is paused/i.test(message),
    message: (container) => `the container ${container} is paused`,
    hint: (container) => `docker unpause ${container}`,
  },
  {
    fits: ({ statusCode }, message) => statusCode === 409 || /is not running/i.test(message),
    message: (container) => `the container ${container} does not run`,
    hint: (container) => `docker start ${container}`,
  },
  {
    fits: (_, message) => /unable to find user|no matching entries in passwd/i.test(message),
    message: (container) => `the container ${container} has no user of that name`,
    hint: () => 'name another, or none for the one of the image',
  },
];

export function explainDocker(
  error: unknown,
  place: { readonly container: string; readonly socketPath: string },
): HostError {
  if (error instanceof HostError) return error;
  const message = describeError(error);
  const told: Told = typeof error === 'object' && error !== null && !isKnownError(error) ? error : {};
  const reason = reasons.find(({ fits }) => fits(told, message));
  const container = show(place.container);
  if (reason === undefined) {
    return new HostError(`the docker engine refused a command in the container ${container}: ${show(message)}`, {
      cause: error,
    });
  }
  const socketPath = show(place.socketPath);
  return new HostError(`${reason.message(container, socketPath)}: ${show(message)}`, {
    hint: reason.hint(container, socketPath),
    cause: error,
  });
}
