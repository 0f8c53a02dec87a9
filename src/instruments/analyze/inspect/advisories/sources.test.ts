import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTargetFolder } from '../target-folder.ts';
import { inspectFiles as inspect, lockOf } from './ask-files.ts';
import { fetchClient, npmBulkSource, osvApiSource, osvScanner, scannerSource, trivy } from './index.ts';

async function serve(
  answer: (path: string, body: string) => unknown,
): Promise<{ readonly url: string; close(): void }> {
  const read = async (request: IncomingMessage): Promise<string> => Buffer.concat(await request.toArray()).toString();
  const server = createServer(async (request, response) => {
    const value = answer(request.url ?? '', await read(request));
    response.writeHead(value === undefined ? 404 : 200).end(JSON.stringify(value ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

const two = { 'package-lock.json': lockOf({ alpha: { version: '1.0.0' }, beta: { version: '2.0.0' } }) };
const osvRecord = (id: string, name: string) => ({
  id,
  modified: '2026-11-01T00:00:00Z',
  affected: [
    {
      package: { ecosystem: 'npm', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.5.0' }] }],
    },
  ],
});

describe('the OSV API', () => {
  it('is asked in batches and pages, and its word is checked', async () => {
    const server = await serve((path, body) => {
      if (path === '/v1/querybatch') {
        const { queries } = JSON.parse(body) as { queries: { package: { name: string }; page_token?: string }[] };
        return {
          results: queries.map((query) =>
            query.package.name !== 'alpha'
              ? query.package.name === 'beta'
                ? { vulns: [{ id: 'B-1' }] }
                : {}
              : query.page_token === 'more'
                ? { vulns: [{ id: 'A-2' }] }
                : { vulns: [{ id: 'A-1' }], next_page_token: 'more' },
          ),
        };
      }
      return path.startsWith('/v1/vulns/')
        ? osvRecord(path.slice(10), path.endsWith('B-1') ? 'beta' : 'alpha')
        : undefined;
    });
    const { data } = await inspect(two, [osvApiSource({ client: fetchClient, host: server.url })]);
    server.close();
    expect(data.matches.map(({ advisory }) => advisory.id)).toEqual(['A-1', 'A-2']);
    expect(data).toMatchObject({ outcome: 'found', isAnswered: true });
  });

  it.each<[string, (path: string) => unknown]>([
    ['an error', () => undefined],
    ['too few answers', () => ({ results: [] })],
    ['nonsense', () => 'hello'],
    [
      'a record that is missing',
      (path) => (path === '/v1/querybatch' ? { results: [{}, { vulns: [{ id: 'A-1' }] }, {}] } : undefined),
    ],
  ])('with %s is not an answer', async (_, answer) => {
    const server = await serve(answer);
    const { data } = await inspect(two, [osvApiSource({ client: fetchClient, host: server.url })]);
    server.close();
    expect(data).toMatchObject({ outcome: 'unknown', isAnswered: false });
    expect(data.sources[0]?.isReachable).toBe(false);
  });
});

describe('the npm registry', () => {
  it('is asked at its own path with the credentials given', async () => {
    const seen: string[] = [];
    const server = await serve((path, body) => {
      seen.push(`${path} ${body}`);
      return {
        alpha: [
          {
            id: 1,
            url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
            title: 'Bad',
            severity: 'moderate',
            vulnerable_versions: '<1.0.1',
            cwe: ['CWE-79'],
            cvss: { score: 0, vectorString: null },
          },
          { id: 2, title: 'Other', severity: 'high', vulnerable_versions: '>=2.0.0' },
          { id: 3, title: 'Odd', severity: 'low', vulnerable_versions: 'not a range' },
        ],
        unasked: [{ id: 4, vulnerable_versions: '*' }],
      };
    });
    const { data } = await inspect(two, [npmBulkSource({ client: fetchClient, registry: `${server.url}/repo/npm` })]);
    server.close();
    expect(seen).toEqual([
      '/repo/npm/-/npm/v1/security/advisories/bulk {"alpha":["1.0.0"],"beta":["2.0.0"],"server":["1.0.0"]}',
    ]);
    expect(data.matches.map(({ advisory, answer }) => [advisory.id, advisory.severity, answer])).toEqual([
      ['GHSA-aaaa-bbbb-cccc', 'medium', 'yes'],
      ['NPM-3', 'low', 'unknown'],
    ]);
    expect(data.isAnswered).toBe(true);
  });

  it('does not answer for Python', async () => {
    const server = await serve(() => ({}));
    const { data } = await inspect({ 'requirements.txt': `a==1.0 --hash=sha256:${'a'.repeat(64)}` }, [
      npmBulkSource({ client: fetchClient, registry: server.url }),
    ]);
    server.close();
    expect(data).toMatchObject({ outcome: 'unknown', unanswered: ['pkg:pypi/a@1.0'] });
  });
});

/** The programs are not installed everywhere: scripts stand for them that print what theirs look like. */
describe('scanners of others', () => {
  const script = (output: object, code = 0, date = '2026-11-14T00:00:00Z'): string =>
    `#!/bin/sh\nif [ "$1" = version ]; then echo '${JSON.stringify({ VulnerabilityDB: { UpdatedAt: date } })}'; exit 0; fi\ncat <<'EOF'\n${JSON.stringify(output)}\nEOF\nexit ${code}\n`;

  async function run(scanner: typeof trivy, text: string) {
    using place = makeTargetFolder({ program: text });
    chmodSync(join(place.root, 'program'), 0o755);
    return await inspect(two, [scannerSource(scanner, { program: join(place.root, 'program') })]);
  }

  it('reads trivy', async () => {
    const output = {
      Results: [
        {
          Type: 'node-pkg',
          Vulnerabilities: [
            {
              VulnerabilityID: 'CVE-2025-1',
              PkgName: 'alpha',
              InstalledVersion: '1.0.0',
              FixedVersion: '1.0.1, 2.0.0',
              Severity: 'HIGH',
            },
          ],
        },
        { Type: 'node-pkg', Vulnerabilities: null },
      ],
    };
    const { data } = await run(trivy, script(output));
    expect(data.matches.map(({ advisory, fixed }) => [advisory.id, fixed])).toEqual([['CVE-2025-1', '1.0.1']]);
    expect(data.isAnswered).toBe(true);
    expect((await run(trivy, script(output, 0, '2025-01-01T00:00:00Z'))).data.isAnswered).toBe(false);
  });

  it('reads osv-scanner, whose exit code 1 is an answer and 127 is none', async () => {
    const output = {
      results: [
        {
          packages: [
            {
              package: { name: 'alpha', version: '1.0.0', ecosystem: 'npm' },
              vulnerabilities: [osvRecord('A-1', 'alpha')],
            },
          ],
        },
      ],
    };
    expect((await run(osvScanner, script(output, 1))).data.matches.map(({ advisory }) => advisory.id)).toEqual(['A-1']);
    expect((await run(osvScanner, script(output, 127))).data.outcome).toBe('unknown');
  });

  it('that are not installed, or print nonsense, are told', async () => {
    const { data, issues } = await inspect(two, [scannerSource(trivy, { program: 'hotcell-no-such-program' })]);
    expect(data.outcome).toBe('unknown');
    expect(issues[0]?.problem).toMatch(/^trivy: cannot run/);
    expect((await run(osvScanner, '#!/bin/sh\necho hello\n')).data.sources[0]?.isReachable).toBe(false);
  });
});
