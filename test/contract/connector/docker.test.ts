import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostError, UsageError } from '../../../src/base/errors.ts';
import { type DockerOptions, openDocker } from '../../../src/engine/connector/index.ts';
import { type Container, hasDockerEngine, openContainer } from './places.ts';
import { leaveStubborn } from './processes.ts';

const quick = { timeoutMs: 20_000 };

async function reach(options: DockerOptions): Promise<string> {
  const connector = openDocker(options);
  try {
    await connector.check();
    return 'in';
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return `${error.message} | ${error.hint}`;
  } finally {
    await connector.close();
  }
}

describe.skipIf(!hasDockerEngine())('docker', () => {
  let container: Container;
  beforeAll(async () => {
    container = await openContainer();
  });
  afterAll(async () => {
    await container?.close();
  });

  it('says what to do where it cannot be reached', async () => {
    expect(await reach({ ...container.options, container: 'nobody' })).toMatch(
      /there is no container nobody.*\| docker ps/,
    );
    expect(await reach({ ...container.options, socketPath: '/tmp/no-engine.sock' })).toMatch(
      /no docker engine answers.*\| start/,
    );
    expect(await reach({ ...container.options, user: 'nobody-there' })).toMatch(/no user of that name/);
    expect(() => openDocker({ ...container.options, container: '../x' })).toThrow(UsageError);
  });

  it.each([
    [undefined, '0 /root\n'],
    ['analyst', '1000 /home/analyst\n'],
    ['1000:0', '1000 /home/analyst\n'],
  ])('runs as %s', async (user, wanted) => {
    const connector = openDocker({ ...container.options, ...(user === undefined ? {} : { user }) });
    try {
      expect((await connector.shell('echo $(id -u) $(pwd)', quick)).stdout.toString()).toBe(wanted);
      expect(connector.place).toContain(user ?? 'the user of its image');
    } finally {
      await connector.close();
    }
  });

  it('fails what runs when the container stops, and goes on when it runs again', async () => {
    const connector = openDocker(container.options);
    try {
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      const outcome = connector.shell(leaveStubborn, { ...quick, onOutput: () => resolve() }).then(
        () => 'no error',
        (error: unknown) => error,
      );
      await begun;
      await container.stop();
      const error = await outcome;
      expect(error).toBeInstanceOf(HostError);
      expect(String(error)).toMatch(/was lost while a command ran/);
      expect(await reach(container.options)).toMatch(/does not run.*\| docker start hotcell-test-whole/);
      await container.start();
      expect((await connector.shell('echo again', quick)).stdout.toString()).toBe('again\n');
    } finally {
      await connector.close();
    }
  });
});
