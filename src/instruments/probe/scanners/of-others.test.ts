import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { aimMeans } from '../arguments/means.ts';
import type { AimMeans, Pace, ScanCommand, ScannerDefinition } from '../contract.ts';
import { makeScope } from '../scope/load.ts';
import { arjunParams } from './arjun.ts';
import { ffufDiscover } from './ffuf.ts';
import { nmapScan } from './nmap.ts';
import { makeNucleiScan } from './nuclei.ts';

const templates = mkdtempSync(join(tmpdir(), 'hotcell-templates-'));
afterAll(() => rmSync(templates, { recursive: true }));
const nucleiScan = makeNucleiScan(['/nowhere/templates', templates]);

async function meansOf(fields: object): Promise<AimMeans> {
  const names: Readonly<Record<string, readonly string[]>> = {
    'api.example.com': ['198.51.100.7', '2001:db8::7', '198.51.100.8'],
  };
  const document = { authorization: { by: 'the tests', reference: 'this file' }, ...fields };
  const scope = await makeScope(JSON.stringify(document), 'scope.json', {
    environment: {},
    resolve: async (name) => names[name] ?? [],
    now: 0,
  });
  return aimMeans(scope);
}

const open = await meansOf({ targets: ['127.0.0.1', '::1', 'api.example.com', '198.51.100.0/24', '2001:db8::/64'] });
const narrow = await meansOf({
  targets: ['127.0.0.1'],
  ports: ['900-1200', 8080],
  urls: ['http://127.0.0.1:8080/v1'],
  methods: ['GET'],
});
const onlyPost = await meansOf({ targets: ['127.0.0.1'], methods: ['POST'] });

const usualPace: Pace = { requestsPerSecond: 50, connectionsPerSecond: 50, connections: 100 };

function commandOf(scanner: ScannerDefinition, raw: object, means = open, pace = usualPace): ScanCommand {
  const input = scanner.input.parse(raw);
  const aim = scanner.aim(input, means);
  const paths = { work: '/work', auditors: [] };
  return scanner.build(input, { aim, pace, paths, limits: means.limits, credential: null });
}

const nmapTail = '--host-timeout 870s --stats-every 15s';
const ffufTail = '-timeout 10 -maxtime 570 -se -s -of json -o ffuf.json';
const usualMatch = '-mc 200-299,301,302,307,308,401,403,405,500';
const nucleiExcluded =
  '-exclude-tags dos,fuzz,fuzzing,intrusive,headless,bruteforce,brute-force,default-login,oast,dast';
const nucleiFixed =
  '-type http -no-interactsh -disable-update-check -disable-redirects -no-httpx -no-stdin -system-resolvers';
const nucleiTail =
  '-timeout 10 -retries 0 -response-size-read 1048576 -jsonl -silent -no-color -omit-raw -omit-template';

describe('argv', () => {
  it.each<[string, ScannerDefinition, object, AimMeans, string]>([
    [
      'the usual ports of an address',
      nmapScan,
      { target: '127.0.0.1' },
      open,
      `nmap -T3 --unprivileged -v -Pn -n -sT --max-retries 2 --max-rate 50 --max-parallelism 100 ${nmapTail} -p 1-1000 -oX nmap.xml 127.0.0.1`,
    ],
    [
      'the usual ports cut to the scope',
      nmapScan,
      { target: '127.0.0.1', timing: 'fast' },
      narrow,
      `nmap -T4 --unprivileged -v -Pn -n -sT --max-retries 2 --max-rate 50 --max-parallelism 100 ${nmapTail} -p 900-1000 -oX nmap.xml 127.0.0.1`,
    ],
    [
      'services, politely',
      nmapScan,
      { target: '127.0.0.1', ports: '443,80', scan_type: 'service', timing: 'polite' },
      open,
      `nmap -T2 --unprivileged -v -Pn -n -sT -sV --version-intensity 4 --max-retries 2 --max-rate 50 ${nmapTail} -p 80,443 -oX nmap.xml 127.0.0.1`,
    ],
    [
      'IPv6',
      nmapScan,
      { target: '::1', ports: '22' },
      open,
      `nmap -T3 -6 --unprivileged -v -Pn -n -sT --max-retries 2 --max-rate 50 --max-parallelism 100 ${nmapTail} -p 22 -oX nmap.xml ::1`,
    ],
    [
      'a name: its addresses of one family',
      nmapScan,
      { target: 'api.example.com', ports: '22' },
      open,
      `nmap -T3 --unprivileged -v -Pn -n -sT --max-retries 2 --max-rate 50 --max-parallelism 100 ${nmapTail} -p 22 -oX nmap.xml 198.51.100.7 198.51.100.8`,
    ],
    [
      'paths',
      ffufDiscover,
      { url: 'http://127.0.0.1:8080/v1/FUZZ' },
      narrow,
      `ffuf -u http://127.0.0.1:8080/v1/FUZZ -w words.txt ${usualMatch} -t 10 -p 0.200 ${ffufTail}`,
    ],
    [
      'paths with endings, calibrated',
      ffufDiscover,
      {
        url: 'https://api.example.com/FUZZ?x=1',
        word_list: 'api',
        extensions: ['json', 'bak'],
        match: 'all-but-404',
        calibrate: true,
      },
      open,
      `ffuf -u https://api.example.com/FUZZ?x=1 -w words.txt -e .json,.bak -mc all -fc 404 -ac -t 10 -p 0.200 ${ffufTail}`,
    ],
    [
      'parameters',
      arjunParams,
      { url: 'http://127.0.0.1:8080/v1/search' },
      narrow,
      'arjun -u http://127.0.0.1:8080/v1/search -m GET -w parameters.txt -c 1 -t 100 -d 0.020 -T 10 --disable-redirects -oJ arjun.json',
    ],
    [
      'fields of JSON from the list of arjun',
      arjunParams,
      { url: 'http://[::1]:8080/users', method: 'JSON', word_list: 'large' },
      open,
      'arjun -u http://[::1]:8080/users -m JSON -w large -c 16 -t 100 -d 0.020 -T 10 --disable-redirects -oJ arjun.json',
    ],
    [
      'templates',
      nucleiScan,
      { url: 'http://127.0.0.1:8080/v1/' },
      narrow,
      `nuclei -target http://127.0.0.1:8080/v1/ -templates ${templates} -tags api,rest,graphql,swagger,openapi ${nucleiExcluded} -severity info,low,medium,high,critical,unknown ${nucleiFixed} -rate-limit 50 -concurrency 25 -bulk-size 1 -payload-concurrency 25 ${nucleiTail}`,
    ],
    [
      'known holes that are bad',
      nucleiScan,
      { url: 'http://127.0.0.1:8080/v1/', preset: 'cves', severity: 'high' },
      narrow,
      `nuclei -target http://127.0.0.1:8080/v1/ -templates ${templates} -tags cve ${nucleiExcluded} -severity high,critical ${nucleiFixed} -rate-limit 50 -concurrency 25 -bulk-size 1 -payload-concurrency 25 ${nucleiTail}`,
    ],
  ])('%s', (_, scanner, raw, means, wanted) => {
    expect(commandOf(scanner, raw, means).argv.join(' ')).toBe(wanted);
  });

  it.each<[ScannerDefinition, object, string]>([
    [nmapScan, { target: '127.0.0.1' }, '--max-rate 1 --max-parallelism 1'],
    [ffufDiscover, { url: 'http://127.0.0.1/FUZZ' }, '-t 1 -p 1.000'],
    [arjunParams, { url: 'http://127.0.0.1/' }, '-t 1 -d 1.000'],
    [nucleiScan, { url: 'http://127.0.0.1/' }, '-rate-limit 1 -concurrency 1'],
  ])('keeps a slow pace', (scanner, raw, wanted) => {
    const { argv } = commandOf(scanner, raw, open, { requestsPerSecond: 1, connectionsPerSecond: 1, connections: 1 });
    expect(argv.join(' ')).toContain(wanted);
  });

  it('gives lists as files and homes in the work folder', () => {
    const { files, environment } = commandOf(ffufDiscover, { url: 'http://127.0.0.1/FUZZ' });
    expect(files.map(({ name }) => name)).toEqual(['words.txt']);
    expect(Buffer.from(files[0]?.content ?? []).toString()).toContain('\n.git/HEAD\n');
    expect(environment).toMatchObject({ HOME: '/work', XDG_CONFIG_HOME: '/work/config' });
  });
});

describe('refused', () => {
  it.each<[string, ScannerDefinition, object, AimMeans, RegExp]>([
    ['ports beyond the scope', nmapScan, { target: '127.0.0.1', ports: '22' }, narrow, /scope/],
    ['all ports by a dash', nmapScan, { target: '127.0.0.1', ports: '-' }, open, /ports/],
    ['a port that is none', nmapScan, { target: '127.0.0.1', ports: '99999999' }, open, /ports/],
    ['a hole in the list', nmapScan, { target: '127.0.0.1', ports: '1,,2' }, open, /ports/],
    ['an option as ports', nmapScan, { target: '127.0.0.1', ports: '--script=x' }, open, /ports/],
    ['an option as target', nmapScan, { target: '-iL' }, open, /target/],
    ['an address in another spelling', nmapScan, { target: '0x7f000001' }, open, /target/],
    ['a target beyond the scope', nmapScan, { target: '127.0.0.2' }, open, /target/],
    ['probes where requests are limited', nmapScan, { target: '127.0.0.1', scan_type: 'service' }, narrow, /limits/],
    ['no FUZZ', ffufDiscover, { url: 'http://127.0.0.1/' }, open, /FUZZ/],
    ['FUZZ twice', ffufDiscover, { url: 'http://127.0.0.1/FUZZ/FUZZ' }, open, /FUZZ/],
    ['FUZZ in the host', ffufDiscover, { url: 'http://FUZZ.example.com/' }, open, /url/],
    ['FUZZ in the port', ffufDiscover, { url: 'http://127.0.0.1:FUZZ/' }, open, /url/],
    ['FUZZ above the prefix', ffufDiscover, { url: 'http://127.0.0.1:8080/FUZZ' }, narrow, /scope/],
    ['GET not allowed', ffufDiscover, { url: 'http://127.0.0.1/FUZZ' }, onlyPost, /method/],
    ['a line break', ffufDiscover, { url: 'http://127.0.0.1/FUZZ\r\nHost: x' }, open, /url/],
    ['a query', arjunParams, { url: 'http://127.0.0.1/?a=1' }, open, /query/],
    ['POST not allowed', arjunParams, { url: 'http://127.0.0.1:8080/v1/', method: 'POST' }, narrow, /method/],
    ['JSON counts as POST', arjunParams, { url: 'http://127.0.0.1:8080/v1/', method: 'JSON' }, narrow, /method/],
    ['its first GET', arjunParams, { url: 'http://127.0.0.1/', method: 'POST' }, onlyPost, /method/],
    ['userinfo', arjunParams, { url: 'http://a@127.0.0.1/' }, open, /url/],
    ['a backslash', nucleiScan, { url: 'http://example.org\\@127.0.0.1/' }, open, /url/],
    ['two targets in one', nucleiScan, { url: 'http://127.0.0.1/,http://192.0.2.1/' }, open, /comma/],
    ['a file', nucleiScan, { url: 'file:///etc/passwd' }, open, /url/],
    ['no templates', makeNucleiScan(['/nowhere']), { url: 'http://127.0.0.1/' }, open, /templates/],
  ])('%s', (_, scanner, raw, means, reason) => {
    const attempt = () => commandOf(scanner, raw, means);
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(reason);
  });

  it.each<[ScannerDefinition, object]>([
    [nmapScan, { target: '127.0.0.1', scan_type: '-sS' }],
    [nmapScan, { target: '127.0.0.1', timing: '-T5' }],
    [nmapScan, { target: '127.0.0.1', flags: '--script=x' }],
    [nmapScan, { target: 'a'.repeat(300) }],
    [ffufDiscover, { url: 'http://127.0.0.1/FUZZ', word_list: '/etc/passwd' }],
    [ffufDiscover, { url: 'http://127.0.0.1/FUZZ', extensions: ['../x'] }],
    [arjunParams, { url: 'http://127.0.0.1/', method: 'DELETE' }],
    [nucleiScan, { url: 'http://127.0.0.1/', preset: 'default-logins' }],
    [nucleiScan, { url: `http://127.0.0.1/${'a'.repeat(3000)}` }],
  ])('by the schema: %#', (scanner, raw) => {
    expect(scanner.input.safeParse(raw).success).toBe(false);
  });
});
