import { describe, expect, it } from 'vitest';
import { AuditFailure } from '../client/index.ts';
import type { AuditAnswer, AuditInput, AuditLine } from '../contract.ts';
import { Inquiry, runPhases } from './inquiry.ts';
import type { RuleTable } from './rule.ts';
import { findTrace } from './traces.ts';

const rules: RuleTable<'a'> = {
  a: { title: 'A', severity: 'low', evidenceClass: 'B', cwe: ['CWE-1'], remediation: 'Mend it.' },
};
const input: AuditInput = {
  arguments: {},
  url: 'http://127.0.0.1:81/',
  host: '127.0.0.1',
  addresses: ['127.0.0.1'],
  ports: [{ from: 81, to: 81 }],
  limits: { urls: ['http://127.0.0.1:81/v1'], methods: ['GET'] },
  pace: { requestsPerSecond: 1, connections: 1 },
  credential: null,
};
const fine: AuditAnswer = {
  status: 200,
  httpVersion: '1.1',
  headers: [],
  body: Buffer.alloc(0),
  isCut: false,
  elapsedMs: 1,
};

function make(answer: () => Promise<AuditAnswer>, mostRequests = 1000) {
  const lines: AuditLine[] = [];
  const say = (line: AuditLine) => void lines.push(line);
  const inquiry = new Inquiry({ input, client: { send: answer, sent: 0 }, say }, { group: 'x', rules, mostRequests });
  const notes = () => lines.flatMap((line) => (line.type === 'note' ? [line.text] : []));
  return { inquiry, lines, notes };
}

const claim = { rule: 'a', at: 'http://h/', detail: 'd', evidence: 'e', repro: 'r' } as const;

describe('an inquiry', () => {
  it('asks no more than it may, and says so once', async () => {
    const { inquiry, notes } = make(() => Promise.resolve(fine), 2);
    const answers = [];
    for (let count = 0; count < 5; count += 1) answers.push(await inquiry.ask({ url: input.url }));
    expect(answers.map((answer) => answer?.status ?? null)).toEqual([200, 200, null, null, null]);
    expect(inquiry.isOver).toBe(true);
    expect(notes()).toHaveLength(1);
  });

  it('gives up on whoever does not answer', async () => {
    let sent = 0;
    const { inquiry, notes } = make(() => {
      sent += 1;
      return Promise.reject(new AuditFailure('timeout', 'no answer'));
    });
    for (let count = 0; count < 100; count += 1) await inquiry.ask({ url: `${input.url}${count}` });
    expect(sent).toBe(20);
    expect(notes().length).toBeLessThan(10);
  });

  it('does not take the scope for silence', async () => {
    const { inquiry, notes } = make(() => Promise.reject(new AuditFailure('not-allowed', 'no')));
    for (let count = 0; count < 50; count += 1) await inquiry.ask({ url: input.url });
    expect(inquiry.isOver).toBe(false);
    inquiry.end();
    expect(notes()).toEqual(['50 requests were not sent, since the scope does not allow them']);
  });

  it('knows what the scope covers', () => {
    const { inquiry } = make(() => Promise.resolve(fine));
    expect(inquiry.covers('http://127.0.0.1:81/v1/a')).toBe(true);
    expect(inquiry.covers('http://127.0.0.1:81/v1/a', 'POST')).toBe(false);
    expect(inquiry.covers('http://127.0.0.1:81/v2')).toBe(false);
    expect(inquiry.covers('http://192.0.2.1/v1')).toBe(false);
    expect(inquiry.covers('no URL')).toBe(false);
  });

  it('claims the same once, and no more than forty of one rule', () => {
    const { inquiry, lines, notes } = make(() => Promise.resolve(fine));
    inquiry.claim(claim);
    inquiry.claim(claim);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ finding: { rule: 'x/a', title: 'A', severity: 'low', evidence_class: 'B' } });
    for (let count = 0; count < 60; count += 1) inquiry.claim({ ...claim, at: `http://h/${count}` });
    inquiry.end();
    expect(lines.filter(({ type }) => type === 'finding')).toHaveLength(40);
    expect(notes()).toEqual(['x/a: 21 more places']);
  });

  it('says what a limit of the server left unchecked', async () => {
    let sent = 0;
    const { inquiry, notes } = make(() => {
      sent += 1;
      return Promise.resolve(sent > 2 ? { ...fine, status: 429 } : fine);
    });
    for (let count = 0; count < 5; count += 1) await inquiry.ask({ url: input.url });
    inquiry.end();
    expect(notes()).toEqual([expect.stringMatching(/^3 of 5 requests were answered with 429/)]);
  });

  it('gives whole commands or none', () => {
    const { inquiry, lines } = make(() => Promise.resolve(fine));
    for (const [at, repro] of [
      ['1', 'r'],
      ['2', 'r'.repeat(5000)],
      ['3', { url: 'http://h/' }],
    ] as const) {
      inquiry.claim({ ...claim, at, repro });
    }
    const commands = lines.map((line) => (line.type === 'finding' ? line.finding.repro : null));
    expect(commands).toEqual(['r', '', 'curl -ski http://h/']);
  });

  it('goes on after a phase that fails', async () => {
    const { inquiry, notes } = make(() => Promise.resolve(fine));
    const done: string[] = [];
    await runPhases(inquiry, [
      { name: 'one', run: () => Promise.reject(new Error('broken')) },
      { name: 'two', run: async () => void done.push('two') },
    ]);
    expect(done).toEqual(['two']);
    expect(notes()).toEqual(['one: broken']);
  });
});

describe('traces', () => {
  it.each([
    ['JavaScript', '{"stack":"Error: x\\n    at run (/srv/app/index.js:10:3)"}'],
    ['JavaScript', 'at file:///srv/app/index.js:10:3'],
    ['Python', 'Traceback (most recent call last)'],
    ['Python', 'File \\"/srv/app.py\\", line 3'],
    ['Java', 'at com.example.App.main(App.java:12)'],
    ['C#', 'at App.Run(String x) in C:\\src\\App.cs:line 3'],
    ['PHP', 'thrown in /var/www/index.php on line 3'],
    ['Ruby', "/srv/app/main.rb:3:in `call'"],
    ['Go', 'goroutine 1 [running]:'],
  ])('%s: %s', (runtime, text) => {
    expect(findTrace(text)).toMatchObject({ kind: 'stack', runtime });
  });

  it('knows paths, and what is neither', () => {
    expect(findTrace('cannot open /srv/app/tools/list.py')).toMatchObject({ kind: 'path' });
    for (const text of [
      '',
      'at noon (12:30)',
      'look at https://example.com/a/b.js',
      '{"error":"not found"}',
      'GET /users/1/list',
    ]) {
      expect(findTrace(text)).toBeNull();
    }
  });

  it('takes hostile text in its stride', () => {
    for (const text of [
      'at '.repeat(100_000),
      '/'.repeat(500_000),
      `at ${'a'.repeat(300_000)}`,
      'File "'.repeat(80_000),
      '/srv/'.repeat(90_000),
    ]) {
      expect(findTrace(text)).toBeNull();
    }
  });
});
