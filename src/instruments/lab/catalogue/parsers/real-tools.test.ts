import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeCapture } from '../../../../../test/samples/lab/tool-outputs/make-capture.ts';
import type { Facts } from '../../contract.ts';
import { buildArguments, findTool, readCatalogue } from '../catalogue.ts';
import { judgeExit, type ToolStatus } from '../exit.ts';
import { parseOutput } from './index.ts';

/** The programs themselves, where they are installed: their output today has to be the form that we read. */

const folder = mkdtempSync(join(tmpdir(), 'hotcell-tools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const capture = join(folder, 'a capture.pcap');
writeFileSync(capture, makeCapture());
const text = join(folder, 'note.txt');
writeFileSync(text, 'a harmless text of some length, so that a hash can be made of it\n'.repeat(200));

const catalogue = readCatalogue();
const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

function run(id: string, file: string): { status: ToolStatus; facts: Facts; notes: readonly string[] } {
  const entry = findTool(catalogue, id);
  if (entry === undefined) throw new Error(`${id} is missing`);
  const [command = '', ...words] = buildArguments(entry, { file, output: folder });
  const { status: code, stdout, stderr } = spawnSync(command, words, { timeout: 30_000 });
  const { status } = judgeExit(entry, { code, hasTimedOut: false, stderr });
  return { status, ...parseOutput(entry, stdout) };
}

const table: readonly (readonly [string, string, string, ToolStatus, object])[] = [
  ['readelf', 'readelf-header', process.execPath, 'clean', { class: 'ELF64', section_count: expect.any(Number) }],
  ['readelf', 'readelf-header', text, 'not-applicable', {}],
  ['ssdeep', 'ssdeep', text, 'clean', { ssdeep: expect.stringMatching(/^\d+:.+:.+$/) }],
  ['exiftool', 'exiftool', text, 'clean', { metadata: expect.objectContaining({ 'File Type': 'TXT' }) }],
  ['tshark', 'tshark-dns', capture, 'clean', { answers: { 'www.example.com': ['192.0.2.7'] } }],
  ['tshark', 'tshark-tls', capture, 'clean', { server_names: ['tls.example.com'] }],
  [
    'tshark',
    'tshark-conversations',
    capture,
    'clean',
    {
      conversation_count: 1,
      conversations: [expect.objectContaining({ first_port: 5000, second: '192.0.2.7', frames: 3, bytes: 238 })],
    },
  ],
  ['tshark', 'tshark-conversations', text, 'partial', {}],
];

describe('installed tools', () => {
  it.for(table)('%s as %s on %s', ([command, id, file, status, facts], context) => {
    if (!has(command)) return context.skip(`${command} is not installed`);
    const result = run(id, file);
    expect(result.status).toBe(status);
    expect(result.facts).toMatchObject(facts);
  });

  it('yara prints lines as we read them', (context) => {
    if (!has('yara')) return context.skip('yara is not installed');
    const rules = join(folder, 'rules.yar');
    writeFileSync(
      rules,
      'rule Harmless_Text : one two { meta: author = "x" strings: $a = "harmless" condition: $a }\nrule Never { condition: false }\n',
    );
    for (const options of [[], ['-s', '-m', '-g']]) {
      const output = execFileSync('yara', [...options, rules, text]);
      expect(parseOutput({ id: 'yara', parser: 'yara' }, output)).toMatchObject({
        facts: { rules: ['Harmless_Text'] },
        notes: [],
      });
    }
  });
});
