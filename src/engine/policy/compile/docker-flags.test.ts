import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Policy, tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compileDockerFlags, shellLines } from './docker-flags.ts';
import { samplePlace } from './sample-place.ts';

function withFiles(files: Policy['files'], more: Partial<Policy> = {}) {
  return compileDockerFlags({ ...tierPolicy('LOW'), files, ...more }, samplePlace());
}

const gapsOf = (files: Policy['files']) => withFiles(files).gaps.map(({ id, path, effect }) => [id, path, effect]);

describe('compileDockerFlags', () => {
  it.each(tiers)('%s is confined', (tier) => {
    const { limits } = tierPolicy(tier);
    expect(compileDockerFlags(tierPolicy(tier), samplePlace()).value).toEqual(
      expect.arrayContaining([
        '--read-only',
        '--cap-drop=ALL',
        '--security-opt=no-new-privileges',
        '--user=1000:1000',
        `--memory=${limits.memoryBytes}`,
        `--memory-swap=${limits.memoryBytes}`,
        `--pids-limit=${limits.processes}`,
        `--cpus=${limits.cpuCores}`,
      ]),
    );
  });

  it.each([
    ['LOW', '--network=none', 0],
    ['MEDIUM', '--network=none', 3],
    ['HIGH', '--network=none', 5],
    ['CRITICAL', '--network=bridge', 0],
  ] as const)('%s has %s and tells %i rules that are lost', (tier, option, lost) => {
    const { value, gaps } = compileDockerFlags(tierPolicy(tier), samplePlace());
    expect(value.filter((word) => word.startsWith('--network'))).toEqual([option]);
    expect(gaps.filter(({ id }) => id === 'network-rule')).toHaveLength(lost);
  });

  it('never mounts the home of the user, nor programs of the host', () => {
    const words = compileDockerFlags(tierPolicy('CRITICAL'), samplePlace()).value;
    const mounts = words.filter((word) => word.startsWith('--mount='));
    expect(mounts).toEqual([
      '--mount=type=bind,source=.,target=/home/alex/project',
      '--mount=type=bind,source=/opt,target=/opt,readonly',
      '--mount=type=bind,source=/srv,target=/srv,readonly',
    ]);
    expect(words.filter((word) => word.startsWith('--tmpfs=')).every((word) => word.includes(',exec,'))).toBe(true);
  });

  it('mounts a folder of the work once more where it may be written', () => {
    const mounts = withFiles([
      { path: '{work}', access: 'execute' },
      { path: '{work}/data', access: 'write' },
      { path: '{work}/docs', access: 'read' },
    ]).value.filter((word) => word.startsWith('--mount='));
    expect(mounts).toEqual([
      '--mount=type=bind,source=.,target=/home/alex/project,readonly',
      '--mount=type=bind,source=./data,target=/home/alex/project/data',
    ]);
  });

  it.each([
    ['/a,b', '"source=/a,b","target=/a,b"'],
    ['/a"b', '"source=/a""b","target=/a""b"'],
    ["/it's", "source=/it's,target=/it's"],
  ])('writes %s as one field', (path, fields) => {
    expect(withFiles([{ path, access: 'write' }]).value).toContain(`--mount=type=bind,${fields}`);
  });

  it.each([
    ['/', 'whole-root'],
    ['/proc/1', 'kernel-folder'],
    ['/a\nb', 'path-characters'],
    ['/a\u202eb', 'path-characters'],
    ['{tmp}/a:exec', 'path-characters'],
  ])('leaves out %j and tells it', (path, id) => {
    expect(gapsOf([{ path, access: 'write' }])).toContainEqual([id, 'files[0]', 'closed']);
    expect(withFiles([{ path, access: 'write' }]).value.filter((word) => /^--(mount|tmpfs)/.test(word))).toEqual([]);
  });

  it('sets fixed values alone and tells the others', () => {
    const environment = [{ name: 'A', value: "x y'z" }, { name: 'B' }, { name: 'C', value: 'one\ntwo' }];
    const { value, gaps } = withFiles([], { environment });
    expect(value.filter((word) => word.startsWith('--env'))).toEqual(["--env=A=x y'z"]);
    expect(gaps.map(({ id }) => id)).toEqual(expect.arrayContaining(['environment', 'environment-value']));
  });

  it('tells rules about tools', () => {
    const { gaps } = withFiles([], { tools: [{ tool: 'x', verdict: 'deny' }] });
    expect(gaps).toContainEqual(expect.objectContaining({ id: 'tools', effect: 'open' }));
  });
});

describe('shellLines', () => {
  it.each([
    ['--memory=1', '--memory=1'],
    ['', "''"],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['$(id)', "'$(id)'"],
    ['~/x', "'~/x'"],
  ])('writes %j as %s', (word, shown) => {
    expect(shellLines([word])).toBe(`${shown}\n`);
  });

  it('is read back by a shell word for word', () => {
    const words = ['a b', "it's", '"q"', '$HOME', '`id`', '\\', '*', '!x', '#y', 'ü', ';', '', '-n'];
    const script = `printf '%s\\0' ${shellLines(words).trimEnd().replaceAll('\n', ' ')}`;
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(words);
  });
});
