import type { Finding } from '../../../base/finding-schema.ts';
import type { ScanResult } from '../contract.ts';
import type { KeptScan } from '../results/keep.ts';

/** A scan for the tests of what is made from scans. */
export function sampleScan(more: Partial<ScanResult> = {}, findings: readonly Finding[] = []): KeptScan {
  return {
    format: 'hotcell-scan',
    version: 1,
    host: '192.0.2.7',
    result: {
      id: '20260101000000-0a1b2c3d',
      tool: 'nmap_scan',
      target: '192.0.2.7',
      command: ['nmap', '-p', '80', '192.0.2.7'],
      status: 'completed',
      exit_code: 0,
      findings: [{ port: 80, protocol: 'tcp', state: 'open', service: 'http' }],
      notes: [],
      raw: '<nmaprun/>',
      raw_file: '/home/probe/raw.txt',
      scope: { name: 'sample', fingerprint: 'a'.repeat(64) },
      network: { by: 'gate', connections: 1, requests: 0, refused: [], capture: null, is_complete: true },
      started: '2026-01-01T00:00:00.000Z',
      elapsed_ms: 1200,
      ...more,
    },
    findings: [...findings],
  };
}

export function sampleFinding(more: Partial<Finding> = {}): Finding {
  return {
    id: '0123456789abcdef',
    rule: 'nmap/open-port',
    title: 'Open port: 192.0.2.7:80',
    severity: 'info',
    axis: 'exposure',
    evidenceClass: 'B',
    cwe: [],
    owasp: [],
    locations: [{ path: 'tcp://192.0.2.7:80' }],
    evidence: [{ kind: 'response', ref: '192.0.2.7:80', excerpt: { text: 'open' } }],
    remediation: 'Close it where nobody needs it.',
    ...more,
  };
}
