import { describe, expect, it } from 'vitest';
import { type LogLevel, openLog } from './log.ts';

function collect() {
  const lines: string[] = [];
  const write = (text: string): boolean => lines.push(...(text.match(/.*\n/g) ?? [])) > 0;
  const stream = { writableLength: 0, write };
  return { lines, stream };
}

describe('a log', () => {
  it.each<[LogLevel, readonly string[]]>([
    ['quiet', []],
    ['info', ['one']],
    ['debug', ['one', 'two']],
  ])('at level %s has %j', (level, events) => {
    const { lines, stream } = collect();
    const log = openLog(stream, level);
    log.info('one');
    log.debug('two');
    log.flush?.();
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(events);
  });

  it('is one JSON document per line, whatever it is given', () => {
    const { lines, stream } = collect();
    openLog(stream, 'info', {}, () => 0).info('call', { tool: 'a\nb\u001b[2J', ms: 3, none: undefined });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1);
    expect(lines[0]).not.toContain('\u001b');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'info',
      event: 'call',
      tool: 'a\nb\u001b[2J',
      ms: 3,
    });
  });

  it('drops what is too much, and says how much', () => {
    const { lines, stream } = collect();
    let time = 0;
    const log = openLog(stream, 'info', { mostPerSecond: 2, mostTextLength: 3 }, () => time);
    for (let turn = 0; turn < 5; turn += 1) log.info('knock', { because: 'abcdef' });
    time = 1000;
    log.info('later');
    log.flush?.();
    const read = lines.map((line) => JSON.parse(line) as { because?: string; droppedLines?: number });
    expect(read.map(({ droppedLines }) => droppedLines)).toEqual([undefined, undefined, 3]);
    expect(read[0]?.because).toBe('abc…');
  });

  it('drops lines that nobody reads', () => {
    const { lines, stream } = collect();
    const log = openLog({ ...stream, writableLength: 10 }, 'info', { mostWaitingBytes: 5 });
    log.info('one');
    log.flush?.();
    expect(lines).toEqual([]);
  });

  it('writes the first line at once and the next ones together', async () => {
    const writes: string[] = [];
    const log = openLog({ writableLength: 0, write: (text: string) => writes.push(text) > 0 }, 'info');
    for (const event of ['one', 'two', 'three']) log.info(event);
    expect(writes).toHaveLength(1);
    await expect.poll(() => writes.length).toBe(2);
    expect(writes[1]?.match(/"event":"t/g)).toHaveLength(2);
  });
});
