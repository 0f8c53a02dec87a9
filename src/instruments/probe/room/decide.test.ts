import { describe, expect, it } from 'vitest';
import { makeScope } from '../scope/index.ts';
import { cutAtEnd, decideFor, timeIsOver } from './decide.ts';

const text = JSON.stringify({
  targets: ['127.0.0.1', '10.0.0.0/24'],
  ports: ['80-90'],
  authorization: { by: 'the tests', reference: 'this file' },
});
const means = { environment: {}, resolve: async () => [], now: 0 };
const scope = await makeScope(text, 'scope.json', means);
const aim = {
  label: '10.0.0.7',
  host: '10.0.0.7',
  addresses: ['10.0.0.7', '9.9.9.9'],
  ports: [{ from: 80, to: 100 }],
};

describe('decideFor', () => {
  it.each([
    ['10.0.0.7', 80, 999, null],
    ['10.0.0.7', 80, 1000, timeIsOver],
    ['10.0.0.7', 80, 1001, timeIsOver],
    ['10.0.0.7', 79, 0, 'port 79 is not what this scan is aimed at'],
    ['10.0.0.7', 100, 0, 'port 100 is not in the scope'],
    ['10.0.0.8', 80, 0, '10.0.0.8 is not what this scan is aimed at'],
    ['9.9.9.9', 80, 0, 'the scope does not list 9.9.9.9'],
    ['', 80, 0, 'it is not what this scan is aimed at'],
  ])('%s port %i at %i: %s', (address, port, now, detail) => {
    const decision = decideFor(scope, aim, { untilMs: 1000 }, () => now)('10.0.0.7', port, address);
    expect(decision).toEqual(
      detail === null ? { is: 'allowed', address } : { is: 'refused', because: 'not-listed', detail },
    );
  });
});

describe('cutAtEnd', () => {
  it('has the gate ask again when the time is over, also when that was before', async () => {
    for (const ms of [-1000, 0, 20]) {
      const untilMs = Date.now() + ms;
      const asked = await new Promise((resolve) => {
        const setRules = async (...given: readonly unknown[]) => {
          resolve(given);
          return { cut: 0 };
        };
        cutAtEnd({ setRules }, { untilMs });
      });
      expect(asked).toEqual([[]]);
      const decision = decideFor(scope, aim, { untilMs })('10.0.0.7', 80, '10.0.0.7');
      expect(decision).toMatchObject({ is: 'refused', detail: timeIsOver });
    }
  });

  it('does nothing where there is no end, and takes no timer that is too long for one', () => {
    for (const untilMs of [Number.POSITIVE_INFINITY, Date.now() + 2 ** 32]) {
      const setRules = () => Promise.reject(new Error('never'));
      expect(cutAtEnd({ setRules }, { untilMs })).toBeUndefined();
    }
  });
});
