import { describe, expect, it } from 'vitest';
import { OutputBudget } from './output-budget.ts';

describe('the output of a target', () => {
  it('is handed on up to the cap, over both streams together', async () => {
    let exceeded = 0;
    const budget = new OutputBudget(10, () => {
      exceeded += 1;
    });
    const [out, err] = [budget.meter(), budget.meter()];
    out.write('123456');
    err.write('abcdef');
    out.write('7');
    out.end();
    err.end();
    const read = async (stream: AsyncIterable<Buffer>): Promise<string> => {
      let text = '';
      for await (const chunk of stream) text += chunk.toString();
      return text;
    };
    expect([await read(out), await read(err)]).toEqual(['123456', 'abcd']);
    expect(budget.droppedBytes).toBe(3);
    expect(exceeded).toBe(2);
  });
});
