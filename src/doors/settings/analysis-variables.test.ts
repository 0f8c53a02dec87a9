import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { analysisVariables, readAnalysisVariables, readSize } from './analysis-variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-variables-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (environment: Record<string, string>, where = '/nonexistent') =>
  readAnalysisVariables({ environment, folder: where, homeFolder: '/', userId: 0 });

describe('readSize', () => {
  it.each([
    ['512m', 512 * 1024 ** 2],
    ['512M', 512 * 1024 ** 2],
    ['512mb', 512 * 1024 ** 2],
    ['512MiB', 512 * 1024 ** 2],
    ['1.5g', 1.5 * 1024 ** 3],
    ['1048576', 1048576],
    ['64 k', 65536],
    ['10b', 10],
    ['', null],
    ['m', null],
    ['-1m', null],
    ['1e9', null],
    ['1mm', null],
    ['0x10', null],
  ])('%j', (text, bytes) => {
    expect(readSize(text)).toBe(bytes);
  });

  it('gives whole numbers for any text, or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.]{1,12}[kmgtb]?i?b?$/)), (text) => {
        const size = readSize(text);
        return size === null || (Number.isSafeInteger(size) && size >= 0) || size > Number.MAX_SAFE_INTEGER;
      }),
    );
  });
});

describe('readAnalysisVariables', () => {
  it.each([
    [{ CONTAINER_RUNTIME: 'runsc' }, { backend: 'gvisor' }],
    [{ CONTAINER_RUNTIME: 'runc' }, { backend: 'runc' }],
    [{ CONTAINER_RUNTIME: 'Docker' }, { backend: 'docker' }],
    [
      { CONTAINER_MEMORY_LIMIT: '512m', CONTAINER_CPU_LIMIT: '1.0' },
      { memoryBytes: 536_870_912, cpuCores: 1 },
    ],
    [
      { ENABLE_NETWORK_MONITORING: 'false', ALLOW_OUTBOUND_NETWORK: '1' },
      { isNetworkWatched: false, isOutboundWanted: true },
    ],
    [
      { NUM_VALID_PAYLOADS: '5', NUM_MALICIOUS_PAYLOADS: '0' },
      { honestCalls: 5, trialsPerPosition: 0 },
    ],
    [
      { ENABLE_LLM_FUZZING: 'Yes', ANTHROPIC_API_KEY: ' k ' },
      { isModelWanted: true, anthropicKey: 'k' },
    ],
    [{ CONTAINER_RUNTIME: '' }, {}],
  ])('%j', async (environment, expected) => {
    expect(await read(environment)).toEqual({ ...expected, fromFile: [] });
  });

  it.each([
    ['CONTAINER_RUNTIME', 'crun'],
    ['CONTAINER_RUNTIME', 'constructor'],
    ['CONTAINER_MEMORY_LIMIT', '1m'],
    ['CONTAINER_MEMORY_LIMIT', 'lots'],
    ['CONTAINER_CPU_LIMIT', '0'],
    ['CONTAINER_CPU_LIMIT', '1e3'],
    ['ENABLE_NETWORK_MONITORING', 'maybe'],
    ['ALLOW_OUTBOUND_NETWORK', 'toString'],
    ['NUM_VALID_PAYLOADS', '0'],
    ['NUM_MALICIOUS_PAYLOADS', '-1'],
    ['NUM_MALICIOUS_PAYLOADS', '1001'],
    ['ENABLE_LLM_FUZZING', '2'],
  ])('names %s when it refuses %j', async (name, value) => {
    await expect(read({ [name]: value })).rejects.toThrow(new RegExp(`^${name}: expected .*, not`));
  });

  it('reads a file beside what others keep there, after the environment, and says so', async () => {
    const file = join(folder, '.env');
    writeFileSync(file, 'CONTAINER_RUNTIME=runc\nSTRANGE=`x\nNUM_VALID_PAYLOADS="7"\nCONTAINER_RUNTIME_X=1\n');
    expect(await read({ CONTAINER_RUNTIME: 'bwrap' }, folder)).toEqual({
      backend: 'bwrap',
      honestCalls: 7,
      fromFile: [`NUM_VALID_PAYLOADS comes from ${file}`],
    });
    writeFileSync(file, 'NUM_VALID_PAYLOADS=many\n');
    await expect(read({}, folder)).rejects.toThrow(`${file}: NUM_VALID_PAYLOADS: expected`);
  });

  it('never fails otherwise', async () => {
    const name = fc.constantFrom(...Object.keys(analysisVariables));
    await fc.assert(
      fc.asyncProperty(name, fc.string(), async (key, value) => {
        try {
          await read({ [key]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});
