import { afterAll, describe, expect, it } from 'vitest';
import { accessRows } from './failures/access-rows.ts';
import { missing, openBenches } from './failures/benches.ts';
import { commandRows } from './failures/command-rows.ts';
import { connectionRows } from './failures/connection-rows.ts';
import { evidenceRows } from './failures/evidence-rows.ts';
import { indicatorRows } from './failures/indicator-rows.ts';
import { sampleRows } from './failures/sample-rows.ts';
import { serviceRows } from './failures/service-rows.ts';

/** Ways in which a lab of this kind is known to fail, one row each, and that ours does not. */

const rows = [
  ...accessRows,
  ...commandRows,
  ...connectionRows,
  ...evidenceRows,
  ...indicatorRows,
  ...sampleRows,
  ...serviceRows,
].toSorted((left, right) => left.number - right.number);
const benches = openBenches();
afterAll(() => benches.close());

describe('known failures', () => {
  it('are all in the table', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 27 }, (_, at) => at + 1));
  });

  // Names are whole sentences, which a template would cut.
  for (const { number, name, needs = [], check } of rows) {
    it(`${number}: ${name}`, async ({ skip }) => {
      const why = missing(needs);
      if (why !== null) skip(why);
      await check(benches);
    });
  }
});
