import { describe, expect, it } from 'vitest';
import { sampleFinding, sampleScan } from '../../../instruments/probe/report/sample-scan.ts';
import { describeTerminal } from '../terminal/index.ts';
import { showScan } from './show-scan.ts';

const terminal = describeTerminal({ color: 'never', isTerminal: true, columns: 100, environment: { LANG: 'C.UTF-8' } });

describe('showScan', () => {
  it('shows records as a table, claims the worst first, notes, and what was stopped', () => {
    const kept = sampleScan(
      {
        notes: ['999 ports closed'],
        network: {
          by: 'gate',
          connections: 3,
          requests: 2,
          refused: [{ to: '198.51.100.66:443', because: 'not the aim', count: 4 }],
          capture: null,
          is_complete: true,
        },
      },
      [sampleFinding(), sampleFinding({ id: 'f'.repeat(16), severity: 'high', title: 'Telnet', rule: 'nmap/telnet' })],
    );
    const text = showScan(kept, terminal);
    expect(text).toMatch(/✔ nmap_scan 192\.0\.2\.7 {2}completed, 1\.2 s, 2 findings/);
    expect(text).toMatch(/port {2}protocol {2}state {2}service\n {2}80 {4}tcp {7}open {3}http/);
    expect(text.indexOf('Telnet')).toBeLessThan(text.indexOf('Open port'));
    expect(text).toMatch(/198\.51\.100\.66:443 {2}not the aim {2}4x/);
    expect(text).toContain('note  999 ports closed');
    expect(text).toContain('behind the gate, 3 connections, 2 requests');
  });

  it('lets nothing of a target reach the terminal as it is', () => {
    const evil = '\u001b[2J\u202eevil';
    const kept = sampleScan(
      { target: evil, notes: [evil], findings: [{ url: evil }, { kind: 'fact', name: evil, value: { a: evil } }] },
      [sampleFinding({ title: evil, locations: [{ path: evil }] })],
    );
    expect(showScan(kept, terminal)).not.toMatch(/[\u001b\u202e]/);
  });

  it('says that nothing kept the scope on the wire', () => {
    const network = {
      by: 'outside' as const,
      connections: null,
      requests: null,
      refused: [],
      capture: null,
      is_complete: false,
    };
    expect(showScan(sampleScan({ status: 'timed_out', network }), terminal)).toMatch(
      /timed out[\s\S]*not behind a gate/,
    );
  });
});
