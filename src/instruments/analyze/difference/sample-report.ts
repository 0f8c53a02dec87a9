import type { Analysis } from '../../../base/analysis-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import type { Report } from '../../../base/report-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';

/** Reports for tests. */

export const sampleFinding: Finding = {
  id: '0123456789abcdef',
  rule: 'taint/command',
  title: 'An argument becomes part of a command',
  severity: 'medium',
  axis: 'weakness',
  evidenceClass: 'C',
  cwe: ['CWE-78'],
  owasp: ['MCP05'],
  locations: [{ path: 'index.js', line: 3 }],
  evidence: [],
  remediation: 'Pass arguments as a list.',
};

export const sampleAnalysis: Analysis = {
  run: 'run-1',
  backend: 'bwrap',
  verdict: {
    rubric: '1',
    axes: {
      hostility: { label: 'nothing seen', because: [] },
      weakness: { label: 'nothing seen', because: [] },
      exposure: { label: 'nothing seen', because: [] },
    },
    risk: 10,
    band: 'passes',
    coverage: { tools: { exercised: 1, all: 1 }, parameters: { tried: 1, all: 1 }, phases: ['use'], missing: [] },
    isComplete: true,
    recommendations: [],
  },
  start: { isStarted: true, transport: 'stdio', argv: [{ text: 'node' }], because: [], attempts: 1 },
  server: null,
  phases: [],
  tools: [
    {
      name: { text: 'read' },
      description: { text: 'Reads a note.' },
      annotations: { readOnlyHint: true },
      honestCalls: 1,
      answered: 1,
      trials: 3,
      observed: ['reads files'],
      contradicted: [],
    },
  ],
  calls: [],
  processes: [
    {
      pid: 1,
      parent: null,
      name: { text: 'node' },
      argv: [{ text: '/usr/bin/node' }],
      phase: 'start',
      fromMs: 0,
      toMs: null,
    },
  ],
  files: [
    { path: { text: '/tmp/npm-17a3/x' }, access: 'write', is: 'other', count: 1, phase: 'use', firstMs: 1, event: 1 },
  ],
  hosts: [],
  listings: [],
  proofs: [],
  policy: tierPolicy('LOW'),
  refused: [],
  completeness: { isComplete: true, sensors: [] },
  notTried: [],
  leftOut: {},
};

export interface SampleWishes {
  readonly version?: string;
  readonly name?: string;
  readonly analysis?: Partial<Analysis> | null;
  readonly findings?: readonly Finding[];
  readonly isComplete?: boolean;
}

export function sampleReport(wishes: SampleWishes = {}): Report {
  const { version = '1.0.0', name = 'notes', analysis = {}, findings = [], isComplete = true } = wishes;
  return {
    format: 'hotcell-report',
    version: 1,
    instrument: 'analyze',
    tool: { name: 'hotcell', version: '0.1.0' },
    startedAt: '2026-05-03T10:00:00.000Z',
    durationMs: 1,
    isComplete,
    subjects: [
      {
        target: { kind: 'npm', spec: `npm:${name}`, resolved: { name, version } },
        findings: [...findings],
        suppressed: [],
        checks: [],
        ...(analysis === null ? {} : { analysis: { ...sampleAnalysis, ...analysis } }),
      },
    ],
  };
}
