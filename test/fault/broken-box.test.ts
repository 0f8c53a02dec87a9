import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { exitCodes, HostError } from '../../src/base/errors.ts';
import { ConfinedBox } from '../../src/engine/box/box.ts';
import { type Foundation, layFoundation } from '../../src/engine/box/foundation.ts';
import { createBox } from '../../src/engine/box/index.ts';
import { fromChild } from '../../src/engine/box/launched.ts';
import { interpreter } from '../../src/engine/box/native-files.ts';
import { composeQuestions } from '../../src/engine/box/questions.ts';
import { startProcess } from '../../src/engine/box/start-process.ts';
import { tierPolicy } from '../../src/engine/policy/index.ts';
import { Arena } from '../contract/box/arena.ts';

/** A confinement that does not confine must never be believed. The only program started here is our own airlock. */

const policy = tierPolicy('LOW');
const arena = new Arena();
afterAll(() => arena.close());

async function openWith(
  argv: (foundation: Foundation) => readonly string[],
): Promise<{ error: unknown; folder: string }> {
  const needs = { hasOwnRoot: false, coverable: [], users: 'unique', canCopy: false, usesCgroup: false } as const;
  const foundation = await layFoundation(policy, arena.options, needs);
  const opened = ConfinedBox.open(policy, foundation, () => ({
    backend: 'landlock',
    gaps: [],
    watchedBy: null,
    isOnNetwork: false,
    limitsInForce: [],
    questions: () => composeQuestions(policy, foundation, { signalPid: process.pid }),
    launch: () => {
      const child = startProcess(argv(foundation), {});
      return fromChild(child, { signal: () => undefined, end: () => child.kill('SIGKILL') });
    },
  }));
  const error = await opened.then(
    (box) => box.close().then(() => null),
    (reason: unknown) => reason,
  );
  return { error, folder: foundation.folder };
}

describe('a box that does not hold', () => {
  it('is found out by its own airlock, destroyed, and an error that names what was possible', async () => {
    const { error, folder } = await openWith((foundation) => [interpreter, foundation.place.airlock.script]);
    expect(error).toBeInstanceOf(HostError);
    expect((error as HostError).exitCode).toBe(exitCodes.noIsolation);
    const { message } = error as HostError;
    for (const check of [
      'forbidden-read',
      'forbidden-write',
      'forbidden-socket',
      'forbidden-unix-socket',
      'seccomp-mode',
      'own-net-namespace',
      'forbidden-signal',
      'no-new-privileges',
    ]) {
      expect(message).toContain(check);
    }
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    { what: 'ends without a word', argv: ['/bin/sh', '-c', 'echo broken runtime >&2; exit 3'], says: /broken runtime/ },
    { what: 'answers nonsense', argv: ['/bin/sh', '-c', 'printf zzzzzzzz; sleep 1'], says: /length/ },
    { what: 'answers an endless length', argv: ['/bin/sh', '-c', 'printf ffffffff; sleep 1'], says: /length/ },
    {
      what: 'answers a line that is no answer',
      argv: ['/bin/sh', '-c', 'printf 00000008hellothe; sleep 1'],
      says: /airlock reported/,
    },
  ])('is an error when it $what', async ({ argv, says }) => {
    const { error, folder } = await openWith(() => argv);
    expect(error).toBeInstanceOf(HostError);
    expect((error as HostError).message).toMatch(says);
    expect(existsSync(folder)).toBe(false);
  });

  it('leaves nothing behind when it cannot even be confined', async () => {
    const needs = { hasOwnRoot: false, coverable: [], users: 'unique', canCopy: false, usesCgroup: true } as const;
    const foundation = await layFoundation(policy, arena.options, needs);
    const opened = ConfinedBox.open(policy, foundation, () => {
      throw new HostError('no such runtime');
    });
    await expect(opened).rejects.toThrow('no such runtime');
    expect(arena.leftovers([foundation.id])).toEqual([]);
  });

  it('is never replaced by none: an unusable backend is refused with exit code 4', async () => {
    const refused = createBox(policy, {
      backend: 'docker',
      runtimeFolder: arena.runtimeFolder,
      dockerSocket: '/nonexistent/engine.sock',
    });
    await expect(refused).rejects.toMatchObject({
      exitCode: exitCodes.noIsolation,
      message: expect.stringContaining('nothing was started'),
    });
  });

  it('is not made in a folder that others could have prepared', async () => {
    const refused = createBox(policy, { backend: 'landlock', runtimeFolder: '/tmp' });
    await expect(refused).rejects.toThrow(/somebody else|others may write/);
  });
});
