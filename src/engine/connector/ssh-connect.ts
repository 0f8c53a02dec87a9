import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ServerHostKeyAlgorithm } from 'ssh2';
import { describeError, HostError } from '../../base/errors.ts';
import { show } from './checks.ts';
import { checkHostKey, readKnownHosts } from './host-keys.ts';
import { hostName, knownTypes } from './known-hosts.ts';
import { prepareAuthentication, type SshCredentials } from './ssh-auth.ts';

export interface SshOptions extends SshCredentials {
  readonly host: string;
  readonly port: number;
  readonly knownHostsFile: string;
  /** A host that is not in the file is added to it. A key that changed is refused all the same. */
  readonly isNewHostAccepted: boolean;
}

const readyMs = 20_000;
const keepaliveMs = 10_000;
const keepaliveMisses = 3;
const pausesMs = [300, 1000];

const hostKeyAlgorithms: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
];

/** Types that are known come first: the host then shows a key that can be compared. */
export function orderAlgorithms(types: readonly string[]): ServerHostKeyAlgorithm[] {
  const isKnown = (name: string): boolean => types.includes(name.startsWith('rsa-') ? 'ssh-rsa' : name);
  return [...hostKeyAlgorithms.filter(isKnown), ...hostKeyAlgorithms.filter((name) => !isKnown(name))];
}

const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

class PassingError extends Error {}

function explain(
  error: Error & { level?: string; code?: unknown },
  options: SshOptions,
  account: string,
  isKeyLocked: boolean,
): Error {
  const at = show(hostName(options.host, options.port));
  if (error.level === 'client-authentication' || /authentication/i.test(error.message)) {
    return new HostError(`${at} does not let ${show(options.user)} in; tried: ${account}`, {
      hint: isKeyLocked
        ? 'the key is encrypted: hand its passphrase in with HOTCELL_SSH_PASSPHRASE'
        : 'give a key file with --identity, a password, or a running agent',
      cause: error,
    });
  }
  const message = `cannot connect to ${at}: ${show(describeError(error))}`;
  if (typeof error.code === 'string' && passing.has(error.code)) return new PassingError(message, { cause: error });
  return new HostError(message, { hint: 'check the host, the port, and that an ssh server runs there', cause: error });
}

async function connectOnce(options: SshOptions, signal: AbortSignal): Promise<Client> {
  const { default: ssh2 } = await import('ssh2');
  const { host, port, user, knownHostsFile } = options;
  const known = await readKnownHosts(knownHostsFile);
  const authentication = await prepareAuthentication(options, ssh2.utils.parseKey);
  const client = new ssh2.Client();
  let refusal: unknown;
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      client.destroy();
      reject(refusal ?? explain(error, options, authentication.account(), authentication.isKeyLocked));
    };
    client.on('error', (error: Error & { level?: string }) => {
      // An agent that does not answer is one way less, not the end.
      if (error.level === 'agent') authentication.noteAgent(describeError(error));
      else fail(error);
    });
    client.once('close', () => fail(new Error('the host closed the connection')));
    client.once('ready', () => {
      // Small messages go back and forth: waiting to join them costs a tenth of a second for every command.
      client.setNoDelay(true);
      resolve(client);
    });
    signal.addEventListener('abort', () => fail(new Error('it was closed')), { once: true });
    client.connect({
      host,
      port,
      username: user,
      readyTimeout: readyMs,
      keepaliveInterval: keepaliveMs,
      keepaliveCountMax: keepaliveMisses,
      algorithms: { serverHostKey: orderAlgorithms(knownTypes(known, hostName(host, port))) },
      authHandler: authentication.handler,
      hostVerifier: (key: Buffer, verify: (isValid: boolean) => void) => {
        checkHostKey(key, options).then(
          () => verify(true),
          (error: unknown) => {
            refusal = error;
            verify(false);
          },
        );
      },
    });
  });
}

/** Three tries for what may pass; a key or a password that is refused does not. */
export async function connectSsh(options: SshOptions, signal: AbortSignal): Promise<Client> {
  for (const pauseMs of [...pausesMs, undefined]) {
    try {
      return await connectOnce(options, signal);
    } catch (error) {
      if (!(error instanceof PassingError)) throw error;
      if (pauseMs === undefined) {
        throw new HostError(error.message, {
          hint: 'check the host, the port, and that an ssh server runs there',
          cause: error.cause,
        });
      }
      await sleep(pauseMs, undefined, { signal });
    }
  }
  throw new HostError('cannot connect');
}
