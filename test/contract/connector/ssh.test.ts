import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostError } from '../../../src/base/errors.ts';
import { runToolOrFail } from '../../../src/base/process.ts';
import { type Connector, openLocal, openSsh, type SshOptions } from '../../../src/engine/connector/index.ts';
import { openPasswordServer } from './password-server.ts';
import { freePort, hasSshd, openSshd, type Sshd } from './places.ts';
import { expectGone, leaveStubborn, readPids, watchFamily } from './processes.ts';

const quick = { timeoutMs: 20_000 };

async function reach(options: SshOptions): Promise<string> {
  const connector = openSsh(options);
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

describe.skipIf(!hasSshd())('ssh', () => {
  let sshd: Sshd;
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-ssh-'));
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const publicKey = (name: string): readonly string[] =>
    readFileSync(join(sshd.folder, `${name}.pub`), 'utf8').split(' ');
  const fingerprintOf = async (path: string): Promise<string> => {
    const { stdout } = await runToolOrFail('ssh-keygen', ['-l', '-f', path]);
    return stdout.toString().split(' ')[1] ?? 'none';
  };

  beforeAll(async () => {
    sshd = await openSshd();
  });
  afterAll(async () => {
    await sshd?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('host keys', () => {
    it('refuses a host that is not known, and tells its fingerprint as ssh-keygen does', async () => {
      const answer = await reach({ ...sshd.options, knownHostsFile: join(folder, 'none') });
      expect(answer).toContain(await fingerprintOf(join(sshd.folder, 'host_ed25519.pub')));
      expect(answer).toContain('--accept-new');
      expect(existsSync(join(folder, 'none'))).toBe(false);
    });

    it('remembers a new one when told, in a file that OpenSSH reads', async () => {
      const knownHostsFile = join(folder, 'made', 'known_hosts');
      const options = { ...sshd.options, knownHostsFile };
      expect(await reach({ ...options, isNewHostAccepted: true })).toBe('in');
      expect(statSync(knownHostsFile).mode & 0o777).toBe(0o600);
      expect(await reach(options)).toBe('in');
      const { stdout } = await runToolOrFail('ssh-keygen', [
        '-F',
        `[127.0.0.1]:${sshd.options.port}`,
        '-f',
        knownHostsFile,
      ]);
      expect(stdout.toString()).toContain(publicKey('host_ed25519')[1]);
    });

    it('reads what OpenSSH has hashed', async () => {
      const knownHostsFile = file('hashed', readFileSync(sshd.options.knownHostsFile, 'utf8'));
      await runToolOrFail('ssh-keygen', ['-H', '-f', knownHostsFile]);
      expect(readFileSync(knownHostsFile, 'utf8')).toMatch(/^\|1\|/);
      expect(await reach({ ...sshd.options, knownHostsFile })).toBe('in');
    });

    it('asks for the type of key that is known', async () => {
      const [type, key] = publicKey('host_ecdsa');
      const knownHostsFile = file('ecdsa', `127.0.0.*,[127.0.0.*]:${sshd.options.port} ${type} ${key}`);
      expect(await reach({ ...sshd.options, knownHostsFile })).toBe('in');
    });

    const [type, other] = ['ssh-ed25519', 'AAAAC3NzaC1lZDI1NTE5AAAAIJ7vDnJpgL9hZgMIuJ8fGhoLkvVRkFZ8n5L3L2nWkh1q'];
    it.each([
      ['a key that has changed', (name: string) => `${name} ${type} ${other}\n`, /not the one.*ssh-keygen -R/],
      ['a key that is revoked', (name: string, own: string) => `@revoked ${name} ${own}\n${name} ${own}\n`, /revoked/],
      [
        'a host with a certificate authority',
        (name: string, own: string) => `@cert-authority ${name} ${own}\n`,
        /certificate/,
      ],
      ['a host that is excluded', (name: string, own: string) => `!${name},* ${own}\n`, /is not in/],
      ['another port', (_: string, own: string) => `127.0.0.1 ${own}\n`, /is not in/],
    ])('refuses %s', async (_, write, wanted) => {
      const name = `[127.0.0.1]:${sshd.options.port}`;
      const knownHostsFile = file('odd', write(name, publicKey('host_ed25519').slice(0, 2).join(' ')));
      expect(await reach({ ...sshd.options, knownHostsFile })).toMatch(wanted);
    });

    it('refuses a changed key also where new hosts are accepted', async () => {
      const line = `[127.0.0.1]:${sshd.options.port} ${type} ${other}\n`;
      const knownHostsFile = file('changed', line);
      expect(await reach({ ...sshd.options, knownHostsFile, isNewHostAccepted: true })).toMatch(/not the one/);
      expect(readFileSync(knownHostsFile, 'utf8')).toBe(line);
    });
  });

  describe('who is let in', () => {
    it('says what was tried', async () => {
      const { identityFile: _, ...nothing } = sshd.options;
      expect(await reach(nothing)).toMatch(/does not let .* in; tried: nothing.*--identity/);
      const stranger = join(sshd.folder, 'host_ecdsa');
      expect(await reach({ ...sshd.options, identityFile: stranger, password: 'x' })).toMatch(
        /the key file .*host_ecdsa \(refused\), the password \(not offered by the host\)/,
      );
      expect(await reach({ ...sshd.options, identityFile: join(folder, 'no-key') })).toMatch(/not usable: ENOENT/);
    });

    it('opens a key that is encrypted', async () => {
      const identityFile = join(sshd.folder, 'locked');
      expect(await reach({ ...sshd.options, identityFile, identityPassphrase: 'open sesame' })).toBe('in');
      expect(await reach({ ...sshd.options, identityFile, identityPassphrase: 'wrong' })).toMatch(
        /HOTCELL_SSH_PASSPHRASE/,
      );
      expect(await reach({ ...sshd.options, identityFile })).toMatch(/HOTCELL_SSH_PASSPHRASE/);
    });

    it('asks the agent first, and goes on without one', async () => {
      const agentSocket = join(folder, 'agent.sock');
      const agent = spawn('ssh-agent', ['-D', '-a', agentSocket], { stdio: 'ignore' });
      try {
        for (let round = 0; round < 50 && !existsSync(agentSocket); round += 1) await sleep(50);
        await runToolOrFail('ssh-add', ['-q', join(sshd.folder, 'user')], {
          environment: { SSH_AUTH_SOCK: agentSocket },
        });
        const { identityFile, ...nothing } = sshd.options;
        expect(await reach({ ...nothing, agentSocket })).toBe('in');
        expect(await reach({ ...nothing, identityFile, agentSocket: join(folder, 'none.sock') })).toBe('in');
        expect(await reach({ ...nothing, agentSocket: join(folder, 'none.sock') })).toMatch(/the agent \(not usable/);
      } finally {
        agent.kill();
      }
    });

    it.each(['password', 'keyboard-interactive'] as const)('gives the password by %s', async (method) => {
      const server = await openPasswordServer(method, 'analyst', 'correct horse');
      try {
        const options = {
          host: '127.0.0.1',
          port: server.port,
          user: 'analyst',
          knownHostsFile: join(folder, `known-${method}`),
          isNewHostAccepted: true,
        };
        expect(await reach({ ...options, password: 'correct horse' })).toBe('in');
        expect(await reach({ ...options, password: 'wrong' })).toMatch(/does not let analyst in; tried: the password/);
      } finally {
        await server.close();
      }
    });
  });

  it('says what to do where nothing listens', async () => {
    expect(await reach({ ...sshd.options, port: await freePort() })).toMatch(
      /cannot connect to .*ECONNREFUSED.*\| check/,
    );
  });

  describe('a connection that is lost', () => {
    let connector: Connector;
    const local = openLocal();
    beforeAll(() => {
      connector = openSsh(sshd.options);
    });
    afterAll(async () => {
      await connector.close();
      await local.close();
    });

    it('fails what runs, ends it there, and is made anew', async () => {
      const { whole, onOutput } = watchFamily();
      const running = connector.shell(leaveStubborn, { ...quick, onOutput });
      const told = await whole;
      const outcome = running.then(
        () => 'no error',
        (error: unknown) => error,
      );
      for (const pid of await sshd.connections()) process.kill(pid, 'SIGKILL');
      const error = await outcome;
      expect(error).toBeInstanceOf(HostError);
      expect(String(error)).toMatch(/was lost while a command ran/);
      await expectGone(local, readPids({ stdout: Buffer.from(told) }));
      expect((await connector.shell('echo again', quick)).stdout.toString()).toBe('again\n');
    });

    it('may fall silent: the time limit holds all the same', async () => {
      await connector.check();
      const pids = await sshd.connections();
      const running = connector.shell('echo told; sleep 60', { timeoutMs: 4000 });
      await sleep(2500);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      try {
        const result = await running;
        expect(result).toMatchObject({ hasTimedOut: true, code: null });
        expect(result.stdout.toString()).toBe('told\n');
      } finally {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      }
    });

    it('is one for everybody who comes at the same time', async () => {
      await sshd.restart('same-keys');
      const results = await Promise.all(
        Array.from({ length: 6 }, () => connector.shell('echo $SSH_CONNECTION', quick)),
      );
      expect(new Set(results.map(({ stdout }) => stdout.toString())).size).toBe(1);
    });

    it('is not made anew with a host that shows another key', async () => {
      await sshd.restart('new-keys');
      await expect(connector.shell('true', quick)).rejects.toThrow(/not the one/);
    });
  });

  it('waits for room where the host allows few commands at once', async () => {
    const small = await openSshd({ maxSessions: 3 });
    const connector = openSsh(small.options);
    try {
      const all = Array.from({ length: 7 }, (_, index) => connector.shell(`sleep 0.3; echo ${index}`, quick));
      expect((await Promise.all(all)).map(({ stdout }) => stdout.toString())).toEqual(
        Array.from({ length: 7 }, (_, index) => `${index}\n`),
      );
    } finally {
      await connector.close();
      await small.close();
    }
  });

  it('notices when what arrived is not what was sent', async () => {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    writeFileSync(join(programs, 'sha256sum'), `#!/bin/sh\ncat >/dev/null\necho ${'0'.repeat(64)} -\n`);
    chmodSync(join(programs, 'sha256sum'), 0o755);
    const lying = await openSshd({ path: `${programs}:/usr/bin:/bin` });
    const connector = openSsh(lying.options);
    const there = join(folder, 'there');
    try {
      await expect(connector.put(join(there, 'file'), Buffer.from('x'))).rejects.toThrow(/sha256 0{64}/);
      expect(await connector.list(there, 10)).toEqual({ entries: [], hasMore: false });
      writeFileSync(join(there, 'source'), 'y');
      await expect(connector.get(join(there, 'source'), { maxBytes: 10 })).rejects.toThrow(/sha256/);
      await expect(connector.getToFile(join(there, 'source'), join(there, 'to'), { maxBytes: 10 })).rejects.toThrow(
        /sha256/,
      );
      expect(existsSync(join(there, 'to'))).toBe(false);
    } finally {
      await connector.close();
      await lying.close();
    }
  });
});
