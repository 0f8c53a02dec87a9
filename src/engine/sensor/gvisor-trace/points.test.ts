import { describe, expect, it } from 'vitest';
import { parsePointNames, sessionFile, wantedPoints } from './points.ts';

const namesOf = (architecture: 'x64' | 'arm64'): readonly string[] =>
  wantedPoints(architecture).map(({ name }) => name);

describe('wantedPoints', () => {
  it('asks for what an architecture has, by its own numbers', () => {
    const x64 = namesOf('x64');
    expect(x64).toEqual(
      expect.arrayContaining(['syscall/open/exit', 'syscall/sysno/257/enter', 'syscall/sysno/87/exit']),
    );
    const arm64 = namesOf('arm64');
    expect(arm64).toEqual(
      expect.arrayContaining(['syscall/openat/exit', 'syscall/sysno/56/enter', 'syscall/sysno/35/exit']),
    );
    expect(arm64).not.toContain('syscall/open/exit');
    expect(arm64).not.toContain('syscall/sysno/257/enter');
  });

  it.each(['x64', 'arm64'] as const)('asks for nothing twice on %s', (architecture) => {
    const names = namesOf(architecture);
    expect(new Set(names).size).toBe(names.length);
  });

  it('asks for the beginning wherever it asks for the end by number: the end has its context from there', () => {
    const names = new Set(namesOf('x64'));
    const ends = [...names].filter((name) => /sysno.*exit$/.test(name));
    expect(ends.length).toBeGreaterThan(40);
    expect(ends.filter((name) => !names.has(name.replace('exit', 'enter')))).toEqual([]);
  });

  it('asks for no context that a target can fill with bytes of its own', () => {
    const fields = new Set(wantedPoints('x64').flatMap((point) => point.context_fields));
    expect([...fields].sort()).toEqual(['group_id', 'thread_id', 'time']);
  });
});

describe('parsePointNames', () => {
  it('takes points and leaves sinks', () => {
    const text =
      'POINTS (2)\nName: container/start, optional fields: [env], context\nName: syscall/sysno/2/enter, optional\n\nSINKS (1)\nName: remote\n';
    expect([...parsePointNames(text)]).toEqual(['container/start', 'syscall/sysno/2/enter']);
  });

  it('finds nothing in nothing', () => {
    expect(parsePointNames('').size).toBe(0);
  });
});

describe('sessionFile', () => {
  it('names the socket, and tries often before it drops anything', () => {
    const { trace_session: session } = JSON.parse(sessionFile(wantedPoints('x64'), '/a/b.sock'));
    expect(session.sinks).toEqual([{ name: 'remote', config: { endpoint: '/a/b.sock', retries: 20_000 } }]);
    expect(session.ignore_missing).toBe(true);
  });
});
