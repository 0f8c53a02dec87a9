import { defineConfig } from 'vitest/config';

/**
 * Two projects: units run two files at a time; whatever starts boxes runs one file at a time and after the units,
 * so that a limit that is hit is the box's own and not the neighbour's.
 */
const shared = {
  environment: 'node',
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 120_000,
} as const;

const boxTests = ['test/**/*.test.ts', 'src/engine/box/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'units',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: boxTests,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'boxes',
          include: boxTests,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
