import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reportSchema } from '../../../src/base/report-schema.ts';
import { findTool } from '../../../src/engine/host/index.ts';
import type { LoopbackApi } from '../../contract/probe/world.ts';
import { templates } from './calls.ts';
import { Place, quickScope, whyNoPlace } from './place.ts';

/** The whole sequence over an API on the loopback of the host, from the plan to the reports. */

const reason = await whyNoPlace();
const hasNuclei = (await findTool('nuclei')) !== null;
const longestMs = 300_000;
/** It takes longest of all, and its absence has to be told. */
const hidden = [(await findTool('arjun')) ?? ''];

/** The schema is of an older draft; all that differs in what it uses is the name of its id. */
function sarifSchema(): object {
  const path = new URL('../../samples/schema/sarif-2.1.0-rtm.5.json', import.meta.url);
  const { id: _, $schema: _old, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return schema;
}

describe('hotcell probe run', () => {
  let place: Place;
  let api: LoopbackApi;
  let scope: readonly string[];
  beforeAll(async () => {
    if (reason !== null) return;
    place = await Place.open(hasNuclei ? { templates } : {});
    api = await place.world.startOnLoopback();
    const ports = [api.port, api.tlsPort];
    scope = ['--scope', place.scope('local', { ...quickScope, targets: ['127.0.0.1'], ports })];
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(() => place?.close());

  it('shows a plan, and does nothing', async () => {
    const { code, stdout, stderr } = await place.run(['probe', 'run', '--plan', ...scope], { hidden });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['nmap_scan', 'http_probe', 'openapi_audit', 'tls_audit', '127.0.0.1']) {
      expect(stdout).toContain(word);
    }
    expect(stdout).toMatch(/Not available\n +arjun_params +arjun is not installed/);
    expect((await place.run(['probe', 'report', '--list'])).stdout).toBe('no scan is kept\n');
  });

  it('runs it, and writes reports', { timeout: longestMs }, async () => {
    const outputs = ['report.sarif', 'report.html', 'report.json'];
    const files = outputs.flatMap((file) => ['-o', join(place.root, file)]);
    const { code, stderr } = await place.run(['probe', 'run', ...scope, ...files], { hidden });
    expect(code, stderr).toBe(1);
    const [sarif = '', html = '', json = ''] = outputs.map((file) => readFileSync(join(place.root, file), 'utf8'));
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    formats.default(ajv);
    const validate = ajv.compile(sarifSchema());
    expect(validate(JSON.parse(sarif)), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
    const report = reportSchema.parse(JSON.parse(json));
    expect(report).toMatchObject({ instrument: 'probe', subjects: [{ target: { kind: 'api', spec: '127.0.0.1' } }] });
    const [subject] = report.subjects;
    expect(report.isComplete).toBe(true);
    // What is not on this machine is named, and keeps nothing else from being whole.
    const others = subject?.checks.filter(({ is }) => is !== 'done') ?? [];
    expect(others.map(({ id, is }) => [id, is])).toEqual([
      ['arjun_params', 'not-applicable'],
      ...(hasNuclei ? [] : [['nuclei_scan', 'not-applicable']]),
    ]);
    const rules = new Set(subject?.findings.map(({ rule }) => rule));
    for (const rule of [
      ...['nmap/open-port', 'http/cors-any-origin', 'openapi/authentication-missing', 'tls/certificate-expired'],
      ...['graphql/introspection', 'mcp/tools-without-authentication', 'ffuf/environment-file'],
      ...(hasNuclei ? ['nuclei/planted-admin'] : []),
    ]) {
      expect(rules).toContain(rule);
    }
    expect(sarif).toContain('openapi/authentication-missing');
    expect(html).toContain('127.0.0.1');
    expect(await place.world.seen()).toEqual([]);
  });

  it('keeps the scans, for reports later on', { timeout: longestMs }, async () => {
    const list = await place.run(['probe', 'report', '--list']);
    expect(list.code).toBe(0);
    const lines = list.stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(9);
    const all = await place.run(['probe', 'report', '--all', '--format', 'json']);
    expect(all.code, all.stderr).toBe(0);
    const { subjects } = reportSchema.parse(JSON.parse(all.stdout));
    expect(subjects[0]?.checks.length).toBe(lines.length);
    expect(new Set(subjects.map(({ target }) => target.spec))).toEqual(new Set(['127.0.0.1']));
    const [id = ''] = /[0-9]{14}-[0-9a-f]{8}/.exec(lines[0] ?? '') ?? [];
    const one = await place.run(['probe', 'report', id]);
    expect({ code: one.code, isSaid: one.stdout.includes('127.0.0.1') }, one.stdout).toEqual({ code: 0, isSaid: true });
    expect(await place.run(['probe', 'report', '20200101000000-00000000'])).toMatchObject({ code: 2, stdout: '' });
  });
});
