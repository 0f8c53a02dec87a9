import { hostname } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { mebibyte } from '../../../src/base/limits.ts';
import { type Policy, tiers } from '../../../src/base/policy-schema.ts';
import { backendIds } from '../../../src/engine/box/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { Arena, run, withLimits } from './arena.ts';

/** What servers touch before they do anything: their own folder, devices, /proc, certificates, a locale, a child. */
const nodeServer = `
const fs = require('node:fs');
fs.writeFileSync(require('node:os').tmpdir() + '/a', 'x');
fs.readFileSync('/proc/self/status');
fs.readSync(fs.openSync('/dev/urandom'), Buffer.alloc(8));
fs.openSync('/dev/null', 'w');
fs.readFileSync('/etc/ssl/certs/ca-certificates.crt');
require('node:child_process').execFileSync('/bin/sh', ['-c', 'true']);
new Intl.DateTimeFormat('de').format(0);
console.log('node up');
`;
const pythonServer = `
import asyncio, json, locale, os, socket, ssl, subprocess, tempfile
ssl.create_default_context()
open("/dev/null", "w")
os.urandom(8)
tempfile.TemporaryFile()
subprocess.run(["/bin/true"], check=True)
asyncio.run(asyncio.sleep(0))
print("python up")
`;

/** What every backend has to do alike. */
describe.each(backendIds)('a %s box', (backend) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  beforeEach((context) => arena.need(backend, context));
  afterEach(() => arena.closeBoxes());
  afterAll(() => arena.close());

  it('passes input, output and the exit code through', async () => {
    const box = await arena.box(backend);
    const { status, stdout, stderr } = await run(
      box,
      ['/bin/sh', '-c', 'read line; echo "got $line"; echo warn >&2; exit 7'],
      { input: 'grüße\n' },
    );
    expect({ code: status.code, stdout, stderr }).toEqual({ code: 7, stdout: 'got grüße\n', stderr: 'warn\n' });
    expect(status.limitsHit).toEqual([]);
  });

  it('streams five megabytes both ways without losing a byte', async () => {
    const input = Buffer.alloc(5 * mebibyte, 'abcdefghij\n');
    const { stdout } = await run(await arena.box(backend), ['/bin/cat'], { input });
    expect(Buffer.from(stdout).equals(input)).toBe(true);
  });

  it.each([
    { what: 'a missing program', argv: ['/usr/bin/no-such-program'], code: 127 },
    { what: 'a file that is no program', argv: ['/etc/hosts'], code: 126 },
    { what: 'a program ended by a signal', argv: ['/bin/sh', '-c', 'kill -KILL $$'], code: 137 },
  ])('ends with $code for $what', async ({ argv, code }) => {
    expect((await run(await arena.box(backend), argv)).status.code).toBe(code);
  });

  it('is proven from inside before anything runs', async () => {
    const { record } = await arena.box(backend);
    expect(record.backend).toBe(backend);
    expect(record.selfCheck.filter(({ result }) => result !== 'held')).toEqual([]);
    const asked = new Set(record.selfCheck.map(({ id }) => id));
    for (const id of [
      'forbidden-read',
      'forbidden-write',
      'forbidden-socket',
      'forbidden-syscall',
      'exceed-open-files',
      'no-new-privileges',
      'capabilities',
    ]) {
      expect(asked).toContain(id);
    }
    expect(record.limitsInForce.map(({ by }) => by)).not.toContain('none');
  });

  it('gives the target the environment of the policy and nothing of the host', async () => {
    process.env.HOTCELL_TEST_SECRET = 'do not leak';
    const { stdout } = await run(await arena.box(backend), ['/usr/bin/env'], { environment: { NODE_ENV: 'test' } });
    delete process.env.HOTCELL_TEST_SECRET;
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0] ?? '');
    const allowed = tierPolicy('LOW').environment.map(({ name }) => name);
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
    expect(stdout).toContain('NODE_ENV=test\n');
    expect(stdout).toMatch(/^HOME=\//m);
  });

  it('holds for a policy that names next to nothing', async () => {
    const bare: Policy = {
      version: 1,
      name: 'bare',
      files: [
        { path: '/usr/bin/echo', access: 'execute' },
        { path: '/usr/lib', access: 'execute' },
        { path: '/lib64', access: 'execute' },
        { path: '/lib', access: 'execute' },
      ],
      environment: [],
      network: { mode: 'none', rules: [] },
      limits: { ...tierPolicy('LOW').limits, openFiles: 1_048_576 },
      syscalls: { deny: [] },
    };
    const box = await arena.box(backend, bare);
    expect(box.record.gaps.map(({ id }) => id)).toContain('airlock-interpreter');
    expect(await run(box, ['/usr/bin/echo', 'hello'])).toMatchObject({ status: { code: 0 }, stdout: 'hello\n' });
    expect((await run(box, ['/usr/bin/id'])).status.code).toBeGreaterThanOrEqual(126);
  });

  it('refuses a variable that the policy does not name', async () => {
    const box = await arena.box(backend);
    await expect(box.spawn(['/bin/true'], { environment: { LD_PRELOAD: '/tmp/x.so' } })).rejects.toThrow(UsageError);
  });

  it('looks like the laptop of somebody', async () => {
    const box = await arena.box(backend);
    const { stdout } = await run(box, ['/bin/sh', '-c', 'uname -n; id -un; echo $HOME; pwd']);
    const [host, user, home, cwd] = stdout.split('\n');
    expect(cwd).toBe(box.folders.work);
    expect(home).toBe(box.folders.home);
    if (backend === 'landlock') return;
    expect(host).not.toBe(hostname());
    expect(host).toContain(user);
    expect(home).toBe(`/home/${user}`);
  });

  it('keeps its disk over several commands, and several at once', async () => {
    const box = await arena.box(backend);
    await run(box, ['/bin/sh', '-c', 'echo one > $TMPDIR/note']);
    const both = await Promise.all([
      run(box, ['/bin/sh', '-c', 'sleep 0.3; cat $TMPDIR/note']),
      run(box, ['/bin/sh', '-c', 'cat $TMPDIR/note']),
    ]);
    expect(both.map(({ stdout }) => stdout)).toEqual(['one\n', 'one\n']);
  });

  it('puts files in, gets files out and tells what changed', async () => {
    const box = await arena.box(backend);
    const { work, home, tmp } = box.folders;
    await box.put(
      `${work}/src/main.sh`,
      Buffer.from(
        'echo made > "$HOME/made"; rm "$HOME/old"; echo more >> "$HOME/kept"; ln -s /etc/passwd "$TMPDIR/link"',
      ),
    );
    await box.put(`${home}/old`, Buffer.from('old'));
    await box.put(`${home}/kept`, Buffer.from('kept'));
    await box.put(`${home}/same`, Buffer.from('same'));
    expect((await run(box, ['/bin/sh', `${work}/src/main.sh`])).status.code).toBe(0);
    expect((await box.get(`${home}/made`)).toString()).toBe('made\n');
    const { changes, isTruncated } = await box.diff();
    expect(isTruncated).toBe(false);
    expect(changes.map(({ path, kind, type }) => `${kind} ${type} ${path}`)).toEqual(
      [
        `changed file ${home}/kept`,
        `created file ${home}/made`,
        `removed file ${home}/old`,
        `created link ${tmp}/link`,
      ].toSorted((a, b) => ((a.split(' ')[2] ?? '') < (b.split(' ')[2] ?? '') ? -1 : 1)),
    );
    expect(changes.find(({ type }) => type === 'link')?.linkTarget).toBe('/etc/passwd');
  });

  it('does not follow a link that the target planted', async () => {
    const box = await arena.box(backend);
    const { tmp } = box.folders;
    await run(box, [
      '/bin/sh',
      '-c',
      'ln -s /etc/hostname $TMPDIR/file; ln -s /etc $TMPDIR/folder; mkfifo $TMPDIR/pipe',
    ]);
    await expect(box.get(`${tmp}/file`)).rejects.toThrow(/link/);
    await expect(box.get(`${tmp}/folder/hostname`)).rejects.toThrow(/link/);
    await expect(box.get(`${tmp}/pipe`)).rejects.toThrow(/not a plain file|does not exist/);
    await expect(box.put(`${tmp}/folder/planted`, Buffer.from('x'))).rejects.toThrow(/link/);
    await expect(box.put(`${tmp}/file`, Buffer.from('x'))).rejects.toThrow();
    await expect(box.get(`${tmp}/../../etc/hostname`)).rejects.toThrow(UsageError);
    await expect(box.get('/etc/hostname')).rejects.toThrow(UsageError);
  });

  it('lets nothing be executed that could be written', async () => {
    const box = await arena.box(backend);
    const { status, stdout } = await run(box, [
      '/bin/sh',
      '-c',
      'printf "#!/bin/sh\\necho ran" > $TMPDIR/x; chmod +x $TMPDIR/x; $TMPDIR/x',
    ]);
    expect({ code: status.code, stdout }).toEqual({ code: 126, stdout: '' });
    await expect(run(box, ['/bin/sh', '-c', 'echo x > note'])).resolves.toMatchObject({ status: { code: 2 } });
  });

  it.each([
    {
      limit: 'wallMs' as const,
      policy: withLimits({ wallMs: 700 }),
      script: 'trap "" TERM; while :; do sleep 0.05; done',
    },
    {
      limit: 'outputBytes' as const,
      policy: withLimits({ outputBytes: 100_000 }),
      script: 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done',
    },
    {
      limit: 'diskBytes' as const,
      policy: withLimits({ diskBytes: 4 * mebibyte }),
      script: 'dd if=/dev/zero of=$TMPDIR/big bs=1M count=32 2>/dev/null; exit 3',
    },
  ])('keeps the limit $limit and says so', async ({ limit, policy, script }) => {
    const { status, stdout } = await run(await arena.box(backend, policy), ['/bin/sh', '-c', script]);
    expect(status.limitsHit.map((hit) => hit.limit)).toContain(limit);
    expect(stdout.length).toBeLessThanOrEqual(100_000);
  });

  it('keeps the size of a file', async () => {
    const { stdout } = await run(await arena.box(backend, withLimits({ fileBytes: 1 * mebibyte })), [
      '/bin/sh',
      '-c',
      'dd if=/dev/zero of=$TMPDIR/big bs=64k count=64 2>/dev/null; stat -c %s $TMPDIR/big',
    ]);
    expect(Number(stdout)).toBeLessThanOrEqual(mebibyte);
  });

  it('keeps the memory limit', async () => {
    const script = 'my $x = ""; for (1 .. 60) { $x .= "a" x (16 * 1024 * 1024) } print length $x';
    const { status, stdout } = await run(await arena.box(backend, withLimits({ memoryBytes: 128 * mebibyte })), [
      '/usr/bin/perl',
      '-e',
      script,
    ]);
    expect(stdout).toBe('');
    expect(status.code).not.toBe(0);
  });

  it('passes a polite signal on, and ends what ignores it', async () => {
    const box = await arena.box(backend);
    const polite = await box.spawn(['/bin/sh', '-c', 'trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done']);
    await new Promise((resolve) => polite.stdout.once('data', resolve));
    polite.kill('SIGTERM');
    expect((await polite.exited).code).toBe(9);
    const rude = await box.spawn(['/bin/sh', '-c', 'trap "" TERM; echo ready; while :; do sleep 0.05; done']);
    await new Promise((resolve) => rude.stdout.once('data', resolve));
    rude.kill('SIGTERM');
    expect((await rude.exited).code).not.toBe(0);
  });

  it('ends when the caller gives up', async () => {
    const box = await arena.box(backend);
    const abort = new AbortController();
    const child = await box.spawn(['/bin/sleep', '60'], { signal: abort.signal });
    abort.abort();
    expect((await child.exited).wallMs).toBeLessThan(30_000);
  });

  it('leaves nothing behind, not even what forked away', async () => {
    const box = await arena.box(backend);
    const { stdout } = await run(box, ['/bin/sh', '-c', '(setsid sleep 300 >/dev/null 2>&1 &) ; echo done']);
    expect(stdout).toBe('done\n');
    const running = await box.spawn(['/bin/sleep', '300']);
    await box.close();
    await running.exited;
    await expect(box.spawn(['/bin/true'])).rejects.toThrow(UsageError);
    expect(arena.leftovers([box.record.id])).toEqual([]);
  });

  it.each(tiers)('starts node and python servers under %s', async (tier) => {
    const box = await arena.box(backend, tierPolicy(tier));
    const { work } = box.folders;
    await box.put(`${work}/server.js`, Buffer.from(nodeServer));
    await box.put(`${work}/server.py`, Buffer.from(pythonServer));
    const node = await run(box, ['/usr/bin/env', 'node', `${work}/server.js`]);
    expect(node).toMatchObject({ status: { code: 0 }, stdout: 'node up\n' });
    const python = await run(box, ['/usr/bin/python3', `${work}/server.py`]);
    expect(python).toMatchObject({ status: { code: 0 }, stdout: 'python up\n' });
  });
});
