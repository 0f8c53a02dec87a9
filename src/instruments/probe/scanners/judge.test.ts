import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../base/finding-schema.ts';
import { againOf } from '../again.ts';
import type { Aim, ScanFinding, ScannerDefinition } from '../contract.ts';
import { arjunParams } from './arjun.ts';
import { ffufDiscover } from './ffuf.ts';
import { nmapScan } from './nmap.ts';
import { nucleiScan } from './nuclei.ts';

const aim: Aim = {
  label: 'http://127.0.0.1:8099/FUZZ',
  host: '127.0.0.1',
  addresses: ['127.0.0.1'],
  ports: [{ from: 1, to: 65_535 }],
  url: 'http://127.0.0.1:8099/FUZZ',
};
const base = 'http://127.0.0.1:8099';

function judged(scanner: ScannerDefinition, finding: ScanFinding): string {
  const [one, ...rest] = scanner.judge([finding], aim, againOf(scanner, {}));
  expect(rest).toEqual([]);
  if (one === undefined) return 'nothing';
  expect(findingSchema.parse(one)).toEqual(one);
  return `${one.rule} ${one.severity} ${one.axis} ${one.evidenceClass}`;
}

describe('nmap', () => {
  it.each<[ScanFinding, string]>([
    [{ port: 443, service: 'https', is_detected: false }, 'nmap/open-port info exposure B'],
    [{ port: 2375, service: 'docker', is_detected: false }, 'nmap/docker-api high exposure C'],
    [{ port: 2375, service: 'docker', is_detected: true }, 'nmap/docker-api high exposure B'],
    [{ port: 12_345, service: 'redis', is_detected: true }, 'nmap/redis high exposure B'],
    [{ port: 6379, service: 'http', is_detected: true }, 'nmap/open-port info exposure B'],
    [{ port: 23, service: 'telnet', is_detected: false }, 'nmap/telnet high exposure C'],
    [{ port: 5432, service: 'postgresql', is_detected: true }, 'nmap/postgresql medium exposure B'],
    [{ port: 'x' }, 'nothing'],
    [{}, 'nothing'],
  ])('%j', (finding, wanted) => {
    expect(judged(nmapScan, finding)).toBe(wanted);
  });

  it('says which addresses of a name it left out', async () => {
    const output = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), outputFile: null, exitCode: 0, isWhole: true };
    const notesFor = async (...addresses: readonly string[]) =>
      (await nmapScan.parse(output, { ...aim, host: 'api.example.test', addresses })).notes.join();
    expect(await notesFor('192.0.2.7', '192.0.2.8')).not.toContain('more addresses');
    expect(await notesFor('192.0.2.7', '2001:db8::7')).toContain('not scanned: 2001:db8::7');
  });

  it('says how to see it again', () => {
    const again = againOf(nmapScan, { target: '::1', ports: '1-1000' });
    const [finding] = nmapScan.judge([{ port: 80 }], { ...aim, host: '::1' }, again);
    expect(finding?.repro).toBe('hotcell probe nmap ::1 --ports 80 --scope scope.json');
    expect(finding?.title).toBe('Open port: [::1]:80');
  });
});

describe('ffuf', () => {
  it.each<[string, number | null, string]>([
    ['/health', 200, 'ffuf/reachable-path info exposure B'],
    ['/.env', 200, 'ffuf/environment-file medium exposure B'],
    ['/.env', null, 'ffuf/environment-file medium exposure C'],
    ['/.env', 403, 'ffuf/guarded-path info exposure B'],
    ['/.git/HEAD', 200, 'ffuf/version-control medium exposure B'],
    ['/a/ADMIN/x', 204, 'ffuf/administration medium exposure B'],
    ['/actuator/env', 200, 'ffuf/management medium exposure B'],
    ['/db.sql?x=1', 200, 'ffuf/backup medium exposure B'],
    ['/debug/vars', 200, 'ffuf/debug medium exposure B'],
    ['/server-status', 200, 'ffuf/server-status medium exposure B'],
    ['/metrics', 200, 'ffuf/metrics medium exposure B'],
    ['/swagger.json', 200, 'ffuf/api-documentation medium exposure B'],
    ['/metrics', 301, 'ffuf/redirecting-path info exposure B'],
    ['/users', 500, 'ffuf/failing-path low exposure B'],
    ['/users', 405, 'ffuf/reachable-path info exposure B'],
    ['/administer', 200, 'ffuf/reachable-path info exposure B'],
  ])('%s %s', (path, status, wanted) => {
    expect(judged(ffufDiscover, { url: `${base}${path}`, status })).toBe(wanted);
  });
});

describe('arjun', () => {
  it.each<[ScanFinding, string]>([
    [{ url: `${base}/search`, params: ['debug'], method: 'GET' }, 'arjun/hidden-parameters low weakness B'],
    [{ url: `${base}/search`, params: [], method: 'GET' }, 'nothing'],
    [{ params: ['debug'] }, 'nothing'],
  ])('%j', (finding, wanted) => {
    expect(judged(arjunParams, finding)).toBe(wanted);
  });

  it('is the same finding in whatever order the names come', () => {
    const ids = [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'c'],
    ].map((params) => arjunParams.judge([{ url: base, params, method: 'GET' }], aim, againOf(arjunParams, {}))[0]?.id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });
});

describe('nuclei', () => {
  it.each<[ScanFinding, string]>([
    [{ template_id: 'CVE-2021-1234', severity: 'critical' }, 'nuclei/cve-2021-1234 critical weakness B'],
    [{ template_id: 'a__B..c', severity: 'unknown' }, 'nuclei/a-b-c info weakness B'],
    [{ template_id: '///', severity: 'low' }, 'nuclei/unnamed low weakness B'],
    [{ template_id: 'x'.repeat(200), severity: 'low' }, `nuclei/${'x'.repeat(80)} low weakness B`],
    [{ severity: 'low' }, 'nothing'],
  ])('%j', (finding, wanted) => {
    expect(judged(nucleiScan, finding)).toBe(wanted);
  });

  it('takes over what can be checked', () => {
    const [finding] = nucleiScan.judge(
      [
        {
          template_id: 't',
          name: 'Name',
          severity: 'high',
          matched_at: `${base}/x`,
          cwe: ['cwe-200', 'CWE-x'],
          remediation: 'Do.',
        },
      ],
      aim,
      againOf(nucleiScan, {}),
    );
    expect(finding).toMatchObject({ title: `Name: ${base}/x`, cwe: ['CWE-200'], remediation: 'Do.' });
  });
});
