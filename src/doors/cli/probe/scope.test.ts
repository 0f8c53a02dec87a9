import { expect, it } from 'vitest';
import type { DescribedScope } from '../../../instruments/probe/describe.ts';
import { describeTerminal } from '../terminal/index.ts';
import { renderScope } from './scope.ts';

const told: DescribedScope = {
  name: 'sample',
  fingerprint: 'a'.repeat(64),
  network: 'gate',
  authorization: { by: 'somebody' },
  targets: ['127.0.0.1'],
  pins: {},
  ports: null,
  urls: [],
  methods: [],
  credentials: [],
  rate: { requests_per_second: 1, connections_per_second: 2 },
  concurrency: { scans: 3, per_target: 1, connections: 4 },
  not_before: '2026-01-01T00:00:00Z',
  expires: null,
  window: '22:00 to 06:00 UTC',
  objection: null,
  scanners: [{ name: 'nmap_scan', is_available: true, because: null }],
  notes: [],
};
const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });

it.each([
  [true, 'a gate for every scan\n'],
  [false, 'a gate for every scan; that needs root, and this is not\n'],
])('root %s: %s', (isRoot, words) => {
  const shown = renderScope(told, terminal, isRoot);
  expect(shown).toContain(words);
  expect(shown).toContain('1 request and 2 connections a second; 3 scans at a time, 1 of one target');
  expect(shown).toContain('from 2026-01-01T00:00:00Z, 22:00 to 06:00 UTC');
});
