import { describe, expect, it } from 'vitest';
import { findEscapes, type HostView, readVisitor } from './report.ts';

const quiet: HostView = { isFileWritten: false, connections: 0, isProcessEnded: false, isSecretInOutput: false };

describe('readVisitor', () => {
  it('reads what was told, and leaves other lines out', () => {
    expect(readVisitor('sees\tuser\tsam\nnoise\nrefused\tread\tno such file\ndone\tvisitor\tend\n')).toEqual([
      { kind: 'sees', name: 'user', detail: 'sam' },
      { kind: 'refused', name: 'read', detail: 'no such file' },
    ]);
  });

  it.each(['', 'refused\tread\tno\n', 'done'])('relies on nothing without an end: %j', (output) => {
    expect(readVisitor(output)).toBeNull();
  });
});

describe('findEscapes', () => {
  const refused = { kind: 'refused', name: 'read', detail: 'no' } as const;

  it('is content when everything was refused and the host saw nothing', () => {
    expect(findEscapes([refused], quiet)).toEqual([]);
  });

  const table: readonly [string, Parameters<typeof findEscapes>, RegExp][] = [
    [
      'the visitor says so',
      [[refused, { kind: 'escaped', name: 'read x', detail: 'root' }], quiet],
      /could read x: root/,
    ],
    ['nothing was tried', [[], quiet], /tried nothing/],
    ['the file is there', [[refused], { ...quiet, isFileWritten: true }], /found the file/],
    ['somebody connected', [[refused], { ...quiet, connections: 2 }], /saw 2 connections/],
    ['a process is gone', [[refused], { ...quiet, isProcessEnded: true }], /was ended/],
    ['the secret came out', [[refused], { ...quiet, isSecretInOutput: true }], /secret of the host/],
  ];
  it.each(table)('%s', (_, facts, message) => {
    const escapes = findEscapes(...facts);
    expect(escapes).toHaveLength(1);
    expect(escapes[0]).toMatch(message);
  });
});
