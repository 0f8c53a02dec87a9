import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Three projects: units run two files at a time; what tries the limits of boxes, kills what keeps them or counts what the
 * whole machine does runs one file at a time, so that a limit that is hit is the box's own and not the neighbour's; what
 * looks only at what is its own (boxes that are escaped from, servers that are analysed, commands) goes three at a time,
 * because such tests wait as often as they work.
 */
const shared = {
  environment: 'node',
  pool: 'forks',
  // Limits are for what hangs. Nothing is judged by the clock here: three neighbours share two cores.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ['test/fuzz-seed.ts'],
};

const lonelyTests = [
  'src/engine/box/**/*.test.ts',
  'test/contract/box/**/*.test.ts',
  'test/contract/net/endurance.test.ts',
  'test/contract/sensor/ebpf.test.ts',
  'test/e2e/doctor.test.ts',
  'test/fault/**/*.test.ts',
];

/** These take minutes: begun last, each would have a worker wait for it alone. */
const longTests = [
  'contract/analyze/samples',
  'contract/escape/escape',
  'contract/sensor/storm',
  'e2e/docs',
  'e2e/probe/tools',
  'e2e/probe/refusals',
  'contract/connector/commands',
  'e2e/lab/modes',
  'contract/lab/failures',
  'e2e/box',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longTests.findIndex((name) => moduleId.includes(`/test/${name}.`));
      return at === -1 ? longTests.length : at;
    };
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'units',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: lonelyTests,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'boxes',
          include: lonelyTests,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: lonelyTests,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
