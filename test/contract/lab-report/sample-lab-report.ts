import type { LabReport, ReportFinding } from '../../../src/instruments/lab/report/schema.ts';

/** A report with something in every part of it. */

const hash = (digit: string): string => digit.repeat(64);

export function sampleFinding(over: Partial<ReportFinding> = {}): ReportFinding {
  return {
    rule: 'pe.capability.inject',
    title: 'Can write code into another process and start it there',
    severity: 'medium',
    evidence_type: 'structural',
    evidence: [
      { where: 'import table', text: 'WriteProcessMemory' },
      { where: 'import table', text: 'CreateRemoteThread' },
      { where: 'import table', text: 'VirtualAllocEx' },
      { where: 'import table', text: 'OpenProcess' },
    ],
    benign: 'Debuggers do this.',
    attack: ['T1055'],
    mbc: ['E1055'],
    source: 'pe',
    inside: null,
    ...over,
  };
}

const findings: readonly ReportFinding[] = [
  sampleFinding({
    evidence_type: 'artifact',
    title: 'Names of functions lie in it',
    rule: 'yara.names',
    source: 'yara',
  }),
  sampleFinding(),
  sampleFinding({
    evidence_type: 'behaviour',
    title: 'It opened a decoy',
    rule: 'detonation.bait',
    attack: [],
    mbc: [],
  }),
  sampleFinding({ severity: 'critical', title: 'A decoy left', rule: 'detonation.leak', attack: ['T1041', 'T9999'] }),
  sampleFinding({ severity: 'info', title: 'It looks functions up by name', rule: 'pe.lookup', inside: 'inner.exe' }),
  sampleFinding({ severity: 'info', title: 'It looks functions up by name', rule: 'pe.lookup', inside: 'other.exe' }),
];

const peFacts: LabReport['analysers'][number]['facts'] = {
  format: 'PE32',
  is_signed: false,
  timestamp: { seconds: 1, iso: '2020-09-13T12:26:40Z', plausible: false },
  mitigations: { aslr: true, dep: false },
  version_info: { CompanyName: 'Example', FileDescription: 'A sample' },
  names: { JS: 2, AA: 0 },
  sections: [
    { name: '.text', raw_offset: 1024, raw_size: 4096, entropy: 6.1, flags: 'r-x', contains: ['code'] },
    { name: '.data', raw_offset: 5120, raw_size: 4096, entropy: 7.9, flags: 'rw-', contains: ['data'] },
  ],
  imports: [{ dll: 'KERNEL32.dll', functions: ['OpenProcess', 'VirtualAllocEx'], function_count: 2 }],
  layers: [
    { index: 0, how: 'the script', language: 'batch', characters: 20, preview: 'echo one\necho two' },
    { index: 1, how: 'base64', language: 'powershell', characters: 9, preview: 'Write-Out' },
  ],
  long_list: Array.from({ length: 40 }, (_, at) => `entry ${at}`),
  deep: { one: { two: { three: ['four'] } }, list: [{ a: 1 }] },
};

const detonation: LabReport['detonation'] = {
  status: 'done',
  because: 'started in a cell; it ended with code 0.',
  backend: 'gvisor',
  run: 'lab-1',
  command: ['/bin/bash', '/work/a.sh'],
  exit_code: 0,
  elapsed_ms: 700,
  is_complete: false,
  gaps: ['ptrace: one point is missing'],
  timeline: [
    { at_ms: 1, kind: 'exec', process: 'bash 2', text: 'bash a.sh' },
    { at_ms: 2, kind: 'connect', process: 'curl 3', text: '198.51.100.7:80' },
    { at_ms: 3, kind: 'connect', process: 'curl 3', text: '198.51.100.7:80' },
  ],
  event_counts: { exec: 1, connect: 2 },
  stdout: 'done\n',
  stderr: 'no such file\n',
};

const kind = { id: 'pe', title: 'PE32 executable for x86', mime: 'application/x-dosexec' } as const;

export function sampleLabReport(over: Partial<LabReport> = {}): LabReport {
  return {
    format: 'hotcell-lab-report/1',
    file: {
      name: 'invoice.exe',
      path: '/samples/invoice.exe',
      place: 'this machine',
      size_bytes: 10_240,
      sha256: hash('a'),
      sha1: 'b'.repeat(40),
      md5: 'c'.repeat(32),
      kind: { ...kind },
      origins: [{ how: 'unpacked', parent: hash('d'), original_name: 'a.zip', at: '2026-01-02T03:04:05.000Z' }],
    },
    depth: 'standard',
    started_at: '2026-01-02T03:04:05.000Z',
    elapsed_ms: 1234,
    is_from_cache: false,
    confinement: 'a box of bwrap on this machine, without a network',
    evidence: { sha256_before: hash('a'), sha256_after: hash('a'), is_unchanged: true },
    summary: ['PE32 executable for x86, 10240 bytes.', 'What stands out: A decoy left.'],
    action_required: [{ priority: 1, issue: 'It is packed.', remediation: 'Unpack it.' }],
    findings: [...findings],
    indicators: [
      {
        type: 'url',
        value: 'http://marker.example.com/a',
        confidence: 0.7,
        count: 2,
        sources: ['strings'],
        noise: null,
      },
      { type: 'domain', value: 'marker.example.com', confidence: 0.6, count: 1, sources: ['pe'], noise: null },
      { type: 'ipv4', value: '1.2.3.4', confidence: 0.5, count: 1, sources: ['pe'], noise: null },
      { type: 'user_agent', value: 'marker/1.0', confidence: 0.6, count: 1, sources: ['strings'], noise: null },
    ],
    indicator_counts: { url: 1, domain: 1 },
    indicator_noise_count: 3,
    inner_files: [
      {
        name: 'inner.exe',
        how: 'resource',
        inside: 'outer',
        sha256: hash('e'),
        size_bytes: 100,
        kind: { ...kind },
        saved_to: null,
        finding_count: 1,
      },
    ],
    analysers: [
      { id: 'pe', version: 1, status: 'done', elapsed_ms: 3, facts: peFacts, notes: [] },
      { id: 'strings', version: 1, status: 'partial', elapsed_ms: 3, facts: { total: 9 }, notes: ['cut'] },
    ],
    tools: [
      {
        id: 'exiftool',
        command: 'exiftool invoice.exe',
        program: '1 2',
        status: 'failed',
        meaning: 'it ended with code 1',
        exit_code: 1,
        elapsed_ms: 20,
        finding_count: 0,
        output: 'x',
        output_bytes: 1,
        saved_to: null,
        facts: { metadata: { Title: 'x' } },
        notes: [],
      },
    ],
    not_run: [
      { id: 'capa', because: 'capa is not installed there', what_to_do: 'install it' },
      { id: 'translate', because: 'it needs words that only the analyst knows', what_to_do: 'use run_tool' },
    ],
    next_steps: ['Read the imports.'],
    picture: { entropy: [1, 6.5, 7.9], head: '4d5a9000' },
    texts: [{ source: 'office', label: 'macro Module1', text: 'Sub AutoOpen()\n  x = 1\nEnd Sub', characters: 30 }],
    detonation,
    mode: 'full',
    ...over,
  };
}
