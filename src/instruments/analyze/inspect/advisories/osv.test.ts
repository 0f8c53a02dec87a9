import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HostError, UsageError } from '../../../../base/errors.ts';
import { makeTargetFolder } from '../target-folder.ts';
import { importOsv } from './osv-import.ts';
import { lookUp, readIndexMeta } from './osv-index.ts';
import { parseOsv } from './osv-record.ts';
import { makeZip } from './zip-file.ts';

const now = new Date('2026-11-10T00:00:00Z');

const record = (id: string, name: string, more: object = {}, ecosystem = 'npm'): string =>
  JSON.stringify({
    id,
    modified: '2026-11-09T10:00:00Z',
    summary: `about ${name}`,
    affected: [
      { package: { ecosystem, name }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }] },
    ],
    database_specific: { severity: 'HIGH', cwe_ids: ['CWE-22', 'nonsense'] },
    ...more,
  });

const records = {
  'npm/A-1.json': record('A-1', 'alpha'),
  'npm/A-2.json': record('A-2', 'alpha-more'),
  'npm/A-3.json': record('A-3', 'alpha', { modified: '2026-11-01T00:00:00Z' }),
  'npm/gone.json': record('A-4', 'alpha', { withdrawn: '2026-01-01T00:00:00Z' }),
  'pypi/P-1.json': record('P-1', 'Py_YAML', {}, 'PyPI'),
  'debian/D-1.json': record('D-1', 'openssl', {}, 'Debian:12'),
  'broken.json': '{"id": ',
  'no-id.json': '{"summary": "x"}',
  'notes.txt': 'not a record',
};

describe.each(['folder', 'zip'])('an OSV database as a %s', (form) => {
  it('is imported, and found by package', async () => {
    using source = makeTargetFolder(form === 'folder' ? records : { 'all.zip': makeZip(records) });
    using place = makeTargetFolder({});
    const folder = join(place.root, 'index');
    const meta = await importOsv(form === 'folder' ? source.root : join(source.root, 'all.zip'), { folder, now });
    expect(meta).toEqual({
      format: 1,
      importedAt: now.toISOString(),
      newestRecord: '2026-11-09T10:00:00.000Z',
      records: 4,
      skipped: 2,
      withdrawn: 1,
      elsewhere: 1,
      ecosystems: ['PyPI', 'npm'],
    });
    expect(readIndexMeta(folder)).toEqual(meta);
    const found = lookUp(folder, ['npm:alpha', 'PyPI:py-yaml', 'npm:none']);
    expect([...found].map(([key, list]) => [key, list.map(({ id }) => id).sort()])).toEqual(
      expect.arrayContaining([
        ['npm:alpha', ['A-1', 'A-3']],
        ['PyPI:py-yaml', ['P-1']],
        ['npm:none', []],
      ]),
    );
    expect(readdirSync(place.root)).toEqual(['index']);
  });
});

describe('an import that fails', () => {
  it('leaves the old index and no draft', async () => {
    using source = makeTargetFolder(records);
    using place = makeTargetFolder({ 'broken.zip': 'PK but not really' });
    const folder = join(place.root, 'index');
    await importOsv(source.root, { folder, now });
    await expect(importOsv(join(place.root, 'broken.zip'), { folder, now })).rejects.toThrow(HostError);
    expect(lookUp(folder, ['npm:alpha']).get('npm:alpha')).toHaveLength(2);
    expect(readdirSync(place.root).sort()).toEqual(['broken.zip', 'index']);
  });

  it('says when there is nothing there, and when the index is of another form', async () => {
    using place = makeTargetFolder({});
    await expect(importOsv(join(place.root, 'none'), { folder: join(place.root, 'i'), now })).rejects.toThrow(
      UsageError,
    );
    expect(existsSync(join(place.root, 'i'))).toBe(false);
    expect(readIndexMeta(place.root)).toBeUndefined();
    writeFileSync(join(place.root, 'meta.json'), '{"format":99}');
    expect(() => readIndexMeta(place.root)).toThrow(HostError);
  });
});

describe('a record', () => {
  it('is read with its severity, from its vector when no word is given', () => {
    const vector = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }];
    expect(parseOsv(JSON.parse(record('A', 'a')), 'x')).toMatchObject({
      severity: 'high',
      score: undefined,
      cwe: ['CWE-22'],
    });
    expect(parseOsv(JSON.parse(record('A', 'a', { severity: vector, database_specific: {} })), 'x')).toMatchObject({
      severity: 'critical',
      score: 9.8,
    });
    expect(parseOsv(JSON.parse(record('MAL-2025-1', 'a')), 'x')?.kind).toBe('malicious');
  });

  it('survives any shape', () => {
    const keys = [
      'id',
      'affected',
      'package',
      'ranges',
      'events',
      'introduced',
      'severity',
      'versions',
      'aliases',
      'name',
      'ecosystem',
      'type',
      'database_specific',
    ];
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, 1, 'npm', 'SEMVER', '1.0.0', 'A-1'),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 5 }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (shape) => {
        const advisory = parseOsv(shape, 'x');
        expect(advisory === undefined || typeof advisory.id === 'string').toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
