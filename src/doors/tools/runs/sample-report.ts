import type { Analysis } from '../../../base/analysis-schema.ts';
import { type Finding, findingId } from '../../../base/finding-schema.ts';
import type { Report, Subject } from '../../../base/report-schema.ts';
import type { Verdict } from '../../../base/verdict-schema.ts';

/** A report as tests of rendering and of exit codes want it: small, and hostile where a target may be. */

export const hostileText = '\u001b[2J\u202eevil';

export function sampleFinding(overrides: Partial<Finding> = {}): Finding {
  return {
    id: findingId('interrogate/command-injection', ['search', 'word']),
    rule: 'interrogate/command-injection',
    title: 'The tool search runs what its argument says',
    severity: 'critical',
    axis: 'weakness',
    evidenceClass: 'A',
    cwe: ['CWE-78'],
    owasp: ['MCP05'],
    locations: [],
    evidence: [{ kind: 'event', ref: 'event 41', excerpt: { text: 'exec /usr/bin/touch' } }],
    remediation: 'Start the program without a shell and hand the value over as one argument.',
    ...overrides,
  };
}

export const hint: Finding = sampleFinding({
  id: findingId('taint/path-traversal', ['read']),
  rule: 'taint/path-traversal',
  title: 'A path from an argument is opened',
  severity: 'high',
  evidenceClass: 'D',
  locations: [{ path: 'server.js', line: 12 }],
  evidence: [{ kind: 'source', ref: 'server.js:12', excerpt: { text: 'readFile(join(root, name))' } }],
});

export function sampleVerdict(overrides: Partial<Verdict> = {}): Verdict {
  return {
    rubric: 'hotcell/1',
    axes: {
      hostility: { label: 'no sign of harm', because: [] },
      weakness: { label: 'vulnerable', because: [sampleFinding().id] },
      exposure: { label: 'nothing known', because: [] },
    },
    risk: 98,
    band: 'fails',
    coverage: {
      tools: { exercised: 2, all: 2 },
      parameters: { tried: 3, all: 4 },
      phases: ['install', 'start', 'use', 'attack'],
      missing: [],
    },
    isComplete: true,
    recommendations: [],
    ...overrides,
  };
}

const start = { isStarted: true, transport: 'stdio', argv: [{ text: 'node' }], because: [], attempts: 1 } as const;

export function sampleAnalysis(overrides: Partial<Analysis> = {}): Analysis {
  const { id } = sampleFinding();
  return {
    run: 'run-1',
    backend: 'gvisor',
    verdict: sampleVerdict(),
    start: { ...start, argv: [...start.argv], because: [] },
    server: { name: { text: `notes ${hostileText}` }, version: { text: '1.0.0' }, protocol: { text: '2025-06-18' } },
    phases: [
      { phase: 'start', fromMs: 0, toMs: 100 },
      { phase: 'attack', fromMs: 100, toMs: 900 },
    ],
    tools: [],
    calls: [
      {
        id: 'call-7',
        kind: 'trial',
        phase: 'attack',
        tool: { text: 'search' },
        fromMs: 1,
        toMs: 2,
        outcome: 'answered',
      },
    ],
    processes: [],
    files: [],
    hosts: [],
    listings: [],
    proofs: [
      {
        finding: id,
        steps: [
          { kind: 'target', title: 'notes-server 1.0.0', detail: { text: '' } },
          { kind: 'call', title: 'search', detail: { text: `{"word":"x$(touch m)${hostileText}"}` } },
          { kind: 'process', title: 'sh -c', detail: { text: 'grep -r x$(touch m) notes' } },
          { kind: 'event', title: 'exec', detail: { text: '/usr/bin/touch m' }, event: 41 },
          { kind: 'effect', title: 'a file that only the marker names', detail: { text: '/work/m' }, event: 42 },
        ],
        replay: {
          kind: 'trial',
          trial: 'shell/subshell search /word',
          call: { tool: { text: 'search' }, input: { text: '{}' } },
        },
      },
    ],
    policy: {
      version: 1,
      name: 'notes-server',
      files: [
        { path: '/usr', access: 'execute' },
        { path: '{work}/notes', access: 'read', seenIn: ['call-1'] },
        { path: '/usr/bin/grep', access: 'execute', seenIn: ['call-1'] },
      ],
      environment: [],
      network: { mode: 'allowlist', rules: [{ host: 'api.example', port: 443, seenIn: ['call-2'] }] },
      limits: {
        memoryBytes: 536_870_912,
        processes: 64,
        cpuCores: 1,
        wallMs: 60_000,
        outputBytes: 1_048_576,
        fileBytes: 1_048_576,
        diskBytes: 1_048_576,
        openFiles: 256,
      },
      syscalls: { deny: [] },
    },
    refused: [{ what: 'read {home}/.ssh/id_ed25519', why: 'it is bait', seenIn: [] }],
    completeness: {
      isComplete: true,
      sensors: [
        {
          source: 'gvisor-trace',
          attachedBeforeExec: true,
          received: 100,
          dropped: 0,
          merged: 0,
          truncated: 0,
          missingPoints: [],
          heartbeats: { expected: 4, seen: 4 },
        },
      ],
    },
    notTried: [],
    leftOut: {},
    ...overrides,
  };
}

export function sampleReport(overrides: Partial<Subject> = {}): Report {
  const subject: Subject = {
    target: { kind: 'folder', spec: '/srv/notes', resolved: { name: 'notes-server', version: '1.0.0' } },
    findings: [sampleFinding(), hint],
    suppressed: [],
    checks: [{ id: 'ingest', title: 'Getting the files', is: 'done', facts: {} }],
    analysis: sampleAnalysis(),
    ...overrides,
  };
  return {
    format: 'hotcell-report',
    version: 1,
    instrument: 'analyze',
    tool: { name: 'hotcell', version: '0.1.0' },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 23_400,
    isComplete: subject.checks.every(({ is }) => is !== 'unknown'),
    subjects: [subject],
  };
}

/** Nothing found, everything seen. */
export function cleanReport(): Report {
  const none = { label: 'none', because: [] };
  const verdict = sampleVerdict({ axes: { hostility: none, weakness: none, exposure: none }, risk: 0, band: 'passes' });
  return sampleReport({ findings: [], analysis: sampleAnalysis({ verdict, proofs: [], refused: [] }) });
}
