import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../commands/index.ts';
import { composeLine } from './compose-line.ts';

const paths = new Map([
  ['sample.doc', '/desk/sample.doc'],
  ["it's.bin", "/desk/it's.bin"],
]);

async function compose(line: string, inputFile?: string) {
  return composeLine(await parseCommand(line), { paths, inputFile, output: '/desk/output' }).command;
}

describe('a line as something to run', () => {
  it.each([
    ['strings -n 8 sample.doc', undefined, ['strings', '-n', '8', '/desk/sample.doc']],
    ['capa -vv', 'sample.doc', ['capa', '-vv', '/desk/sample.doc']],
    ['tool "it\'s.bin" %OUTPUT%/x', undefined, ['tool', "/desk/it's.bin", '/desk/output/x']],
    ["grep 'a b' sample.doc", undefined, ['grep', 'a b', '/desk/sample.doc']],
    ['sample.doc --run', undefined, ['sample.doc', '--run']],
  ])('%s is one program without a shell', async (line, inputFile, argv) => {
    expect(await compose(line, inputFile)).toEqual({ argv });
  });

  it.each([
    ['cat sample.doc | head -c 3', undefined, `cat /desk/sample.doc | head -c 3`],
    ['file | sort', 'sample.doc', 'file /desk/sample.doc | sort'],
    ['a && b || c ; d', undefined, 'a && b || c ; d'],
    ['a > %OUTPUT%/list 2>&1', undefined, 'a 1>/desk/output/list 2>&1'],
    ['a < sample.doc', undefined, 'a 0</desk/sample.doc'],
  ])('%s is joined by a shell and nothing more', async (line, inputFile, shell) => {
    const command = await compose(line, inputFile);
    expect('shell' in command ? command.shell.replaceAll("'", '') : command).toBe(shell);
  });

  it('quotes every word, so that what a shell would read stays text', async () => {
    const command = await compose(`printf '%s|' 'a;id' '$(id)' '*' "b'c" | cat`);
    const run = 'shell' in command ? spawnSync('/bin/sh', ['-c', command.shell], { encoding: 'utf8' }) : null;
    expect(run?.stdout).toBe("a;id|$(id)|*|b'c|");
  });
});
