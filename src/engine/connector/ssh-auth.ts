import { readFile } from 'node:fs/promises';
import type { AnyAuthMethod, AuthHandlerMiddleware, ParsedKey } from 'ssh2';
import { describeError } from '../../base/errors.ts';
import { show } from './checks.ts';

export interface SshCredentials {
  readonly user: string;
  readonly password?: string;
  readonly identityFile?: string;
  readonly identityPassphrase?: string;
  readonly agentSocket?: string;
}

/** Given in, so that the package is loaded only with a connection. */
export type ParseKey = (data: Buffer, passphrase?: string) => ParsedKey | ParsedKey[] | Error;

interface Way {
  readonly name: string;
  /** What the host calls it. */
  readonly offer: string;
  readonly method: AnyAuthMethod;
}

export interface Authentication {
  readonly handler: AuthHandlerMiddleware;
  /** What was tried and what became of it, for the message when nothing was accepted. */
  account(): string;
  /** The agent did not answer. */
  noteAgent(problem: string): void;
  readonly isKeyLocked: boolean;
}

interface Identity {
  readonly key?: ParsedKey;
  readonly problem?: string;
  readonly isLocked: boolean;
}

async function readIdentity(credentials: SshCredentials, parseKey: ParseKey): Promise<Identity | undefined> {
  const { identityFile, identityPassphrase } = credentials;
  if (identityFile === undefined) return undefined;
  try {
    const parsed = parseKey(await readFile(identityFile), identityPassphrase);
    const key = Array.isArray(parsed) ? parsed[0] : parsed;
    if (key instanceof Error) {
      const isLocked = /passphrase|decrypt|integrity/i.test(key.message);
      return { problem: describeError(key), isLocked };
    }
    if (key === undefined || !key.isPrivateKey()) return { problem: 'it holds no private key', isLocked: false };
    return { key, isLocked: false };
  } catch (error) {
    return { problem: describeError(error), isLocked: false };
  }
}

/** Agent, key file, password, and the password once more where the host asks for it as a question. */
export async function prepareAuthentication(credentials: SshCredentials, parseKey: ParseKey): Promise<Authentication> {
  const { user: username, password, identityFile, agentSocket } = credentials;
  const told: string[] = [];
  const ways: Way[] = [];
  if (agentSocket !== undefined) {
    ways.push({ name: 'the agent', offer: 'publickey', method: { type: 'agent', username, agent: agentSocket } });
  }
  const identity = await readIdentity(credentials, parseKey);
  const identityName = `the key file ${show(identityFile ?? '')}`;
  if (identity?.key !== undefined) {
    ways.push({ name: identityName, offer: 'publickey', method: { type: 'publickey', username, key: identity.key } });
  } else if (identity !== undefined) told.push(`${identityName} (not usable: ${show(identity.problem ?? '')})`);
  if (password !== undefined) {
    ways.push({ name: 'the password', offer: 'password', method: { type: 'password', username, password } });
    ways.push({
      name: 'the password as an answer',
      offer: 'keyboard-interactive',
      method: {
        type: 'keyboard-interactive',
        username,
        // Only a question that hides what is typed is one for a password.
        prompt: (_name, _instructions, _language, prompts, finish) =>
          finish(prompts.map(({ echo }) => (echo === true ? '' : password))),
      },
    });
  }

  let isFirst = true;
  let current: Way | undefined;
  let agentProblem: string | undefined;
  const handler: AuthHandlerMiddleware = (left, _isPartial, next) => {
    const give = next as (method: AnyAuthMethod | false) => void;
    if (isFirst) {
      isFirst = false;
      give({ type: 'none', username });
      return;
    }
    if (current !== undefined) told.push(`${current.name} (${agentProblem ?? 'refused'})`);
    agentProblem = undefined;
    for (current = ways.shift(); current !== undefined; current = ways.shift()) {
      if (left === null || left === undefined || left.some((name) => name === current?.offer)) {
        give(current.method);
        return;
      }
      told.push(`${current.name} (not offered by the host)`);
    }
    give(false);
  };
  return {
    handler,
    account: () => (told.length === 0 ? 'nothing, since no agent, key file or password was given' : told.join(', ')),
    noteAgent: (problem) => {
      agentProblem = `not usable: ${show(problem)}`;
    },
    isKeyLocked: identity?.isLocked ?? false,
  };
}
