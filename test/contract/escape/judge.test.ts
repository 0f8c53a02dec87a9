import { describe, expect, it } from 'vitest';
import type { ExitStatus } from '../../../src/engine/box/index.ts';
import type { Attempt, AttemptOptions } from './attempt.ts';
import { type Cell, type Evidence, type HostFacts, judge, worst } from './judge.ts';

const secret = Buffer.from('0123456789abcdef');
const shadow = Buffer.from('root:$y$j9T$abcdefgh:19000:0:99999:7:::\n');
const facts: HostFacts = { secrets: [secret], hostFiles: [shadow], words: ['build-host', 'root'] };
const gaps = [{ id: 'names-visible', path: '', what: 'names can be seen', effect: 'open' }] as const;
const hex = (text: string | Buffer): string => Buffer.from(text).toString('hex');

function attempt(options: AttemptOptions = {}): Attempt {
  return { id: 'read-something', group: 'read', what: 'reads something', file: '', options };
}

const ended: ExitStatus = {
  code: 0,
  signal: null,
  wallMs: 10,
  peakMemoryBytes: null,
  limitsHit: [],
  droppedOutputBytes: 0,
};

function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    backend: 'runc',
    output: '',
    errors: '',
    status: ended,
    outside: [],
    hostClaim: null,
    gaps,
    failure: null,
    ...changes,
  };
}

interface Row {
  readonly name: string;
  readonly options?: AttemptOptions;
  readonly seen: Partial<Evidence>;
  readonly is: Cell['is'];
}

const rows: readonly Row[] = [
  { name: 'an answer', seen: { output: 'contained: EPERM\n' }, is: 'contained' },
  { name: 'a question that makes no sense', seen: { output: 'not-applicable: no such gate\n' }, is: 'not-applicable' },
  { name: 'a claim', seen: { output: 'escaped: opened /dev/mem\n' }, is: 'escaped' },
  { name: 'a claim before another answer', seen: { output: 'escaped: wrote\ncontained: EPERM\n' }, is: 'escaped' },
  { name: 'no line at all', seen: { output: 'ready\n' }, is: 'no-answer' },
  { name: 'an answer in the middle of a line', seen: { output: 'it is contained: EPERM\n' }, is: 'no-answer' },
  { name: 'a program that never ended', seen: { status: null }, is: 'no-answer' },
  {
    name: 'a program that a signal ended',
    seen: { status: { ...ended, code: null, signal: 'SIGSEGV' } },
    is: 'no-answer',
  },
  { name: 'a box that failed', seen: { output: 'contained: EPERM\n', failure: 'no such runtime' }, is: 'no-answer' },
  {
    name: 'bait that changed',
    seen: { output: 'contained: EPERM\n', outside: ['/tmp/bait was changed'] },
    is: 'escaped',
  },
  {
    name: 'a host that was led astray',
    seen: { output: 'contained: EPERM\n', hostClaim: 'it returned the secret' },
    is: 'escaped',
  },
  {
    name: 'a gap, for a claim',
    options: { gap: { runc: 'names-visible' } },
    seen: { output: 'escaped: saw it\n' },
    is: 'not-applicable',
  },
  {
    name: 'a gap that the backend does not admit',
    options: { gap: { runc: 'something-else' } },
    seen: { output: 'escaped: saw it\n' },
    is: 'escaped',
  },
  {
    name: "another backend's gap",
    options: { gap: { landlock: 'names-visible' } },
    seen: { output: 'escaped: saw it\n' },
    is: 'escaped',
  },
  {
    name: 'a gap inside, but bait that changed outside',
    options: { gap: { runc: 'names-visible' } },
    seen: { output: 'escaped: saw it\n', outside: ['/tmp/bait was changed'] },
    is: 'escaped',
  },
  {
    name: 'a limit that was to end it',
    options: { endsBy: ['wallMs'] },
    seen: { status: hit('wallMs') },
    is: 'contained',
  },
  { name: 'another limit', options: { endsBy: ['wallMs'] }, seen: { status: hit('memoryBytes') }, is: 'no-answer' },
  { name: 'a limit that nobody expected', seen: { status: hit('wallMs') }, is: 'no-answer' },
  {
    name: 'a claim that a limit ended later',
    options: { endsBy: ['wallMs'] },
    seen: { output: 'escaped: nobody ended it\n', status: hit('wallMs') },
    is: 'escaped',
  },
  {
    name: 'a call to a kernel of its own',
    options: { asksKernel: true },
    seen: { output: 'escaped: mounted\n', backend: 'gvisor' },
    is: 'contained',
  },
  {
    name: "a call to the host's kernel",
    options: { asksKernel: true },
    seen: { output: 'escaped: mounted\n' },
    is: 'escaped',
  },
  {
    name: 'a file, whatever the kernel',
    seen: { output: `escaped: bytes ${hex(secret)}\n`, backend: 'gvisor' },
    is: 'escaped',
  },
  {
    name: 'bytes of its own',
    options: { recognise: 'bytes' },
    seen: { output: `escaped: bytes ${hex('root:*:1:')}\n` },
    is: 'contained',
  },
  {
    name: 'a secret among other bytes',
    options: { recognise: 'bytes' },
    seen: { output: `escaped: bytes ${hex(`A=1\0B=${secret}\0`)}\n` },
    is: 'escaped',
  },
  {
    name: 'a file of the host',
    options: { recognise: 'bytes' },
    seen: { output: `escaped: bytes ${hex(shadow)}\n` },
    is: 'escaped',
  },
  {
    name: 'words of its own',
    options: { recognise: 'words' },
    seen: { output: `escaped: words ${hex('alex')} ${hex('thinkpad')}\n` },
    is: 'contained',
  },
  {
    name: 'the name of the host',
    options: { recognise: 'words' },
    seen: { output: `escaped: words ${hex('alex')} ${hex('build-host')}\n` },
    is: 'escaped',
  },
];

function hit(limit: 'wallMs' | 'memoryBytes'): ExitStatus {
  return { ...ended, code: null, signal: 'SIGKILL', limitsHit: [{ limit, detail: 'too much' }] };
}

describe('judge', () => {
  it.each(rows)('$name is $is', ({ options, seen, is }) => {
    expect(judge(attempt(options), evidence(seen), facts).is).toBe(is);
  });

  it('shows what a target printed without its control characters', () => {
    const { because } = judge(attempt(), evidence({ output: 'escaped: \u001b[31mred\n' }), facts);
    expect(because).toBe('\\x1b[31mred');
  });

  it('takes the worst of several', () => {
    const cell = (is: Cell['is']): Cell => ({ is, because: '' });
    expect(worst([cell('contained'), cell('escaped'), cell('no-answer')]).is).toBe('escaped');
    expect(worst([cell('contained'), cell('not-applicable')]).is).toBe('not-applicable');
    expect(worst([]).is).toBe('no-answer');
  });
});
