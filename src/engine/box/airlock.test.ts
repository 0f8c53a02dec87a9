import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HostError } from '../../base/errors.ts';
import { askAirlock, encodeMessage, parseReport } from './airlock.ts';

function streams() {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
}

function report(text: string): string {
  return text.length.toString(16).padStart(8, '0') + text;
}

describe('the talk with the airlock', () => {
  it('sends values that cannot break a line', () => {
    const message = encodeMessage([
      ['argument', 'a b\nc'],
      ['filter', new Uint8Array([0, 255])],
    ]).toString();
    expect(message.slice(8)).toBe('argument 6120620a63\nfilter 00ff');
    expect(Number.parseInt(message.slice(0, 8), 16)).toBe(message.length - 8);
  });

  it('reads the report and leaves the target its output', async () => {
    const talk = streams();
    talk.stdout.write(report('forbidden-read held reading x: No such file\nuser broken uid 0'));
    talk.stdout.write('first words of the target');
    expect(await askAirlock(talk, [['arch', 'x64']], 1000)).toEqual([
      { id: 'forbidden-read', result: 'held', detail: 'reading x: No such file' },
      { id: 'user', result: 'broken', detail: 'uid 0' },
    ]);
    expect(String(talk.stdout.read())).toBe('first words of the target');
  });

  it('reads a report that comes byte by byte', async () => {
    const talk = streams();
    const asked = askAirlock(talk, [], 5000);
    for (const byte of report('user held uid 1000')) {
      talk.stdout.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await asked).toEqual([{ id: 'user', result: 'held', detail: 'uid 1000' }]);
  });

  it('has no answer when the box ends or is silent', async () => {
    const ended = streams();
    ended.stdout.end('0000');
    expect(await askAirlock(ended, [], 1000)).toBeNull();
    expect(await askAirlock(streams(), [], 50)).toBeNull();
  });

  it.each(['zzzzzzzz', 'ffffffff', '00000000', '-0000001'])('refuses the length %s', async (length) => {
    const talk = streams();
    talk.stdout.write(length);
    await expect(askAirlock(talk, [], 1000)).rejects.toThrow(HostError);
  });

  it('meets any report with answers or a HostError', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          for (const { result } of parseReport(text)) expect(['held', 'broken']).toContain(result);
        } catch (error) {
          expect(error).toBeInstanceOf(HostError);
        }
      }),
    );
  });
});
