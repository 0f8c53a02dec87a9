import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandReader, judgeCommand, openCommandReader } from './index.ts';

let reader: CommandReader;
beforeAll(async () => {
  reader = await openCommandReader();
});
afterAll(() => reader.close());

const refused: Readonly<Record<string, readonly string[]>> = {
  'remove-system': [
    'rm -rf /',
    'rm -rf //',
    'rm -rf /.',
    'rm -rf /../',
    'rm -rf /*',
    'rm -fr /',
    'rm -r -f /',
    'rm --recursive --force /',
    'rm -Rf /etc',
    'rm -rf /usr/',
    'rm -rf /home/*',
    'rm -rf ~',
    'rm -rf ~/',
    'rm -rf "$X"/',
    'rm -rf /{bin,etc}',
    'rm -rf a b /var c',
    'rm -rf -- /',
    'rm / -rf',
    'rm -f /bin/*',
    'rm -rf ../../../..',
    'rm --no-preserve-root x',
    '(rm -rf /)',
    '{ rm -rf /; }',
    "bash -c 'rm -rf /'",
    'bash -c "rm -rf /"',
    "sh -c 'cd /; rm -rf /etc'",
    "bash -lc 'rm -rf /'",
    'bash -c "sh -c \'rm -rf /\'"',
    '\\rm -rf /',
    "'rm' -rf /",
    'r"m" -rf /',
    '/bin/rm -rf /',
    '/usr/bin/../bin/rm -rf /',
    'sudo rm -rf /',
    'sudo -u root rm -rf /',
    'env rm -rf /',
    'env A=b -i rm -rf /',
    "env -S 'rm -rf /'",
    'nohup rm -rf /',
    'timeout 5 rm -rf /',
    'timeout -s KILL 5 rm -rf /',
    'nice -n 5 rm -rf /',
    'busybox rm -rf /',
    'command rm -rf /',
    'exec rm -rf /',
    'eval rm -rf /',
    "eval 'rm -rf /'",
    'echo / | xargs rm -rf',
    'xargs rm -rf / < x',
    'find / -delete',
    'find / -name x -delete',
    'find // -delete',
    'find / -exec rm {} \\;',
    'find / -type f -exec rm -f {} +',
    "find /etc -execdir rm '{}' ';'",
    "find . -exec sh -c 'rm -rf /' \\;",
    'ls; rm -rf /',
    'ls && rm -rf /',
    'ls || rm -rf /',
    'ls | rm -rf /',
    'ls & rm -rf /',
    'ls\nrm -rf /',
    'if true; then rm -rf /; fi',
    'for i in 1; do rm -rf /; done',
    'f() { rm -rf /; }; f',
    'echo $(rm -rf /)',
    'echo `rm -rf /`',
    'cat <(rm -rf /)',
    'echo "$(rm -rf /)"',
    'A=1 rm -rf /',
    '2>/dev/null rm -rf /',
    "trap 'rm -rf /' EXIT",
    'time rm -rf /',
    'setsid -f rm -rf /root',
    "$'rm' -rf /",
    "rm -rf $'\\x2f'",
  ],
  'make-file-system': [
    'mkfs /dev/sda1',
    'mkfs.ext4 /dev/sda',
    'sudo mkfs.xfs -f /dev/nvme0n1',
    '/sbin/mke2fs x',
    'mkswap /dev/sdb',
  ],
  'write-device': [
    'dd if=/dev/zero of=/dev/sda',
    'dd of=/dev/nvme0n1 if=x bs=1M',
    'cat x > /dev/sda',
    'echo > /dev/sdb1',
    'cat x >> /dev/vda',
    'x &> /dev/sda',
    '> /dev/sda',
    'tee /dev/sda < x',
    'cp x /dev/sda',
    'mv x /dev/sda',
    'shred /dev/sda',
    'wipefs -a /dev/sda',
    'blkdiscard /dev/nvme0n1',
    'truncate -s 0 /dev/mapper/root',
    'cat x > //dev//sda',
    '(cat x) > /dev/sda',
  ],
  'move-system': ['mv / /x', 'mv /etc /tmp', 'mv /usr/* /tmp'],
  'change-system': [
    'chmod -R 777 /',
    'chown -R a:b /',
    'chmod -R 000 /etc',
    'chgrp --recursive x /usr',
    'chown -hR a /',
  ],
  'stop-machine': [
    'shutdown -h now',
    'reboot',
    '/sbin/halt',
    'poweroff -f',
    'init 0',
    'telinit 6',
    'systemctl reboot',
    'systemctl --force poweroff',
    'echo b > /proc/sysrq-trigger',
  ],
  'kill-all': ['kill -1', 'kill -9 -1', 'kill -- -1', 'kill -s KILL -1', 'kill -KILL -1', 'kill -9 1'],
  'fork-bomb': [':(){ :|:& };:', 'f() { f | f & }; f', 'bomb() { bomb & bomb; }; bomb', 'function f { f & f; }; f'],
  substitution: [
    'echo $(date)',
    'echo `date`',
    'echo ${HOME}',
    'echo "a $(date) b"',
    'diff <(ls) x',
    '$(echo ls)',
    "bash -c 'echo $(x)'",
  ],
  syntax: ['ls "', 'echo $(', 'if true'],
  nul: ['ls \0'],
  empty: ['', ' \t '],
};

const allowed: readonly string[] = [
  'strings -e l x | grep mkfs',
  'echo rm -r /',
  "echo 'rm -rf /'",
  "grep -r 'rm -rf /' .",
  'rm -rf ./out',
  'rm -rf out/*',
  'rm x',
  'rm -rf /tmp/x',
  'rm -rf /home/me/work',
  'rm -f /etc/x.conf',
  'ls /',
  'ls -R /',
  'find / -name x',
  'find . -delete',
  'find . -exec rm {} \\;',
  'find /tmp/x -type f -delete',
  'find / -exec file {} +',
  'dd if=/dev/sda of=disk.img',
  'dd if=x of=/dev/null',
  'cat x > /dev/null',
  'ls 2>/dev/null',
  'cat /dev/sda1',
  'chmod -R 755 ./x',
  'chmod 755 /x',
  'chown me /etc/x',
  'kill -1 1234',
  'kill 1234',
  'kill -9 1234',
  'kill -l',
  'man shutdown',
  'grep reboot log',
  "bash -c 'ls -la'",
  'timeout 5 ls',
  'env A=b ls',
  'systemctl status x',
  "echo '$(rm -rf /)'",
  "grep '`x`' f",
  "echo ':(){ :|:& };:'",
  'f() { ls; }; f',
  'mv a b',
  'mv /etc/hosts .',
  'cp /etc/passwd .',
  'tee out.txt',
  'shred ./x',
  'python3 -c "print(1)"',
  'init --help',
  'pdfid.py a.pdf',
  'xargs -n1 file < list',
];

describe('judging commands', () => {
  for (const [rule, lines] of Object.entries(refused)) {
    it.each(lines)(`refuses by ${rule}: %j`, (line) => {
      expect(reader.read(line).judgement).toMatchObject({ verdict: 'refused', rule });
    });
  }

  it.each(allowed)('allows %j', (line) => {
    expect(reader.read(line).judgement).toMatchObject({ verdict: 'allowed', rule: null });
  });

  it('discourages with a better way, unless told to go on, and the word for that is not run', () => {
    expect(reader.read('yara rules.yar x').judgement).toMatchObject({
      verdict: 'discouraged',
      rule: 'raw-yara',
      better: expect.stringMatching(/analyze_file/),
    });
    expect(reader.read('timeout 5 yara rules.yar x').judgement.verdict).toBe('discouraged');
    const read = reader.read('yara --acknowledge-raw rules.yar x');
    expect(read).toMatchObject({ line: 'yara rules.yar x', isAcknowledged: true, judgement: { verdict: 'allowed' } });
    expect(JSON.stringify(read.kind === 'pipeline' && read.pipelines)).not.toContain('acknowledge');
    expect(judgeCommand(read, 'yara --acknowledge-raw rules.yar x').verdict).toBe('allowed');
    expect(() => judgeCommand(read, 'another line')).toThrow(/not the one/);
    expect(reader.read('yara x * --acknowledge-raw | cat').line).toBe('yara x * | cat');
    expect(reader.read("grep -- '--acknowledge-raw' x").isAcknowledged).toBe(false);
    expect(reader.read('rm -rf / --acknowledge-raw').judgement.verdict).toBe('refused');
  });

  it.each([
    ['strings x', ['one-encoding']],
    ['strings -e l x', []],
    ['strings -el x | head -5', ['cut-output']],
    ['cat x | tail -n 20', ['cut-output']],
    ['head x | sort', []],
    ['tail -f log', []],
    ['cat x | tail -n +1', []],
    ['cat x | tail +1', []],
    ['upx -d x', ['private-copy']],
    ['apktool d x.apk', ['private-copy']],
    ['ls', []],
  ])('advises on %j', (line, rules) => {
    expect(reader.read(line).judgement.advisories.map(({ rule }) => rule)).toEqual(rules);
  });
});
