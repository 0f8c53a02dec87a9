import { defineConfig } from 'vitest/config';

/**
 * Three projects: units run two files at a time; what tries the limits of boxes runs one file at a time and after the
 * units, so that a limit that is hit is the box's own and not the neighbour's; what analyses whole servers, or tries to get
 * out of boxes, waits more than it works, looks only at what is its own, and goes two files at a time again.
 */
const shared = {
  environment: 'node',
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 120_000,
} as const;

const analysisTests = [
  // Hundreds of small boxes, each judged by itself.
  'test/contract/escape/escape.test.ts',
  'test/contract/analyze/**/*.test.ts',
  'test/contract/interrogate/**/*.test.ts',
  'test/e2e/{analyze,action,html-report,mcp,tool}*.test.ts',
];
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
          exclude: analysisTests,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'analyses',
          include: analysisTests,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
