import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../base/event-schema.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import type { Observed, Oracle, OracleKind, Trial } from './contract.ts';
import { judgeTrial } from './judge-trial.ts';
import {
  answer,
  connect,
  dnsQuery,
  event,
  everyMeaning,
  exec,
  httpRequest,
  observed,
  open,
  readBench,
  trialOf,
  trialsFor,
} from './sample-observed.ts';

const trials = trialsFor(everyMeaning, readBench());

function the<Kind extends OracleKind>(trial: Trial, kind: Kind): Extract<Oracle, { kind: Kind }> {
  const found = trial.oracles.find((oracle) => oracle.kind === kind);
  if (found === undefined) throw new Error(`${trial.id} has no ${kind}`);
  return found as Extract<Oracle, { kind: Kind }>;
}

function judge(trial: Trial, more: Partial<Observed>): ReturnType<typeof judgeTrial> {
  return judgeTrial(trial, observed(more));
}

describe('a command that was carried out', () => {
  const trial = trialOf(trials, 'command-injection', 'semicolon');
  const marker = the(trial, 'exec-marker').argument ?? '';

  it('is proved by the program that ran', () => {
    expect(judge(trial, { events: [exec(3, 'sh', '-c', String(trial.value)), exec(4, 'touch', marker)] })).toEqual({
      trial: trial.id,
      class: 'command-injection',
      payload: 'semicolon',
      tool: 'everything',
      pointer: trial.position.pointer,
      oracle: 'exec-marker',
      evidenceClass: 'A',
      events: [4],
      excerpt: { text: `touch ${marker}` },
      because: 'an injected touch was executed',
      cwe: ['CWE-78'],
      isByDesign: trial.isByDesign,
    });
  });

  it('is proved by its file, as an event or as a path', () => {
    expect(judge(trial, { newFiles: [marker] })).toMatchObject({
      oracle: 'file-marker',
      evidenceClass: 'A',
      events: [],
    });
    expect(judge(trial, { events: [open(8, marker, 'ok', 'write', true)] })).toMatchObject({ events: [8] });
  });

  it.each([
    ['the shell that got the payload as text', [exec(1, 'sh', '-c', 'true')], []],
    ['a file that holds the marker in a longer name', [], [`${marker}0`, `/planted/root${marker}`]],
    ['a file of the same name elsewhere', [], [marker.replace('/planted/trials', '/planted/root')]],
    ['another program with the marker', [exec(1, 'node', 'helper.js', marker)], []],
    ['touch of another file', [exec(1, 'touch', `${marker}0`)], []],
    ['an open that failed', [open(1, marker, 'failed', 'write', true)], []],
    ['an open that creates nothing', [open(1, marker)], []],
  ] as const)('is not proved by %s', (_, events, newFiles) => {
    expect(judge(trial, { events: [...events], newFiles })).toBeNull();
  });

  it('has a marker that is the product of two numbers of the payload', () => {
    const [, a, b] = /\(\((\d+)\*(\d+)\)\)/.exec(String(trial.value)) ?? [];
    expect(marker).toBe(`/planted/trials/hc${Number(a) * Number(b)}`);
    const joined = trialOf(trials, 'command-injection', 'without-dollar');
    const [, left, right] = /hc(\w+)''(\w+)/.exec(String(joined.value)) ?? [];
    expect(the(joined, 'file-marker').path).toBe(`/planted/trials/hc${left}${right}`);
    expect(String(joined.value)).not.toContain(`${left}${right}`);
  });
});

describe('an option that was read', () => {
  const trial = trialOf(trials, 'argument-injection', 'any-option');
  const { option } = the(trial, 'argv-option');

  it.each([
    [['git', 'log', option], true],
    [['git', option], true],
    [['rg', 'hello', option, '/planted/root'], true],
    [['git', 'log', '--format=%h', option], true],
    [['git', 'log', '--', option], false],
    [['git', 'log', '--', 'notes.txt', option], false],
    [['git', 'log', '--end-of-options', option], false],
    [['git', 'commit', '-m', option], false],
    [['git', 'commit', '--message', option], false],
    [['git', 'commit', `--message=${option}`], false],
    [['git', 'log', `refs/${option}`], false],
    [['node', 'server.js', option], false],
    [['echo', option], false],
    [['sh', '-c', `git log ${option}`], false],
  ])('%j: %s', (argv, isHit) => {
    expect(judge(trial, { events: [exec(5, ...argv)] }) !== null).toBe(isHit);
  });
});

describe('a path that led out', () => {
  const up = trialOf(trials, 'path-traversal', 'up', '/path');

  it('is proved by the token, in text and in base64 at every offset', () => {
    const { outsideCanary } = sampleWorld;
    expect(judge(up, { result: answer(`Report\n${outsideCanary}\n`) })).toMatchObject({
      oracle: 'canary-in-result',
      evidenceClass: 'A',
    });
    for (const shift of ['', 'x', 'xy', 'xyz']) {
      for (const end of ['', '\n', 'ab']) {
        const raw = {
          content: [{ type: 'image', data: Buffer.from(`${shift}${outsideCanary}${end}`).toString('base64') }],
        };
        expect(judge(up, { result: answer('', { raw }) }), `${shift}|${end}`).toMatchObject({ evidenceClass: 'A' });
      }
    }
  });

  it('is observed when it was opened', () => {
    const way = `/srv/docs/${up.value}`;
    expect(judge(up, { events: [open(6, way)] })).toMatchObject({
      oracle: 'open-outside',
      evidenceClass: 'B',
      events: [6],
    });
    expect(judge(up, { events: [open(6, String(up.value))] })).toMatchObject({ events: [6] });
    expect(judge(up, { events: [open(6, way)], result: answer(sampleWorld.outsideCanary) })).toMatchObject({
      evidenceClass: 'A',
      events: [6],
    });
  });

  it.each([
    ['an open that failed', open(1, '/planted/elsewhere/report.txt', 'failed')],
    ['an open that was denied', open(1, '/planted/elsewhere/report.txt', 'denied')],
    ['a mere look', open(1, '/planted/elsewhere/report.txt', 'ok', 'none')],
    ['another file', open(1, '/planted/elsewhere/report.txt.bak')],
    ['the honest file', open(1, '/planted/root/notes.txt')],
  ])('is not shown by %s', (_, seen) => {
    expect(judge(up, { events: [seen] })).toBeNull();
  });

  it.each([
    ['sibling', 'cnrySibling2b6n0ys8'],
    ['link', 'cnryLinked9d4h7pu1'],
    ['plain', 'cnryOutside7f3k9qz2'],
    ['up-folder', 'cnryEntry5m8x1vw4'],
    ['up-missing', 'cnryEntry5m8x1vw4'],
  ])('%s is proved by its own token alone', (payload, canary) => {
    const trial = trialOf(trials, 'path-traversal', payload, '/path');
    expect(judge(trial, { result: answer(`- ${canary}/`) })).toMatchObject({ evidenceClass: 'A' });
    expect(judge(trial, { result: answer('cnryLoop3g5j8ra6') })).toBeNull();
  });

  it('counts an attempt where nothing else knows the name', () => {
    const trial = trialOf(trials, 'path-traversal', 'up-missing', '/path');
    const [, name = ''] = /(\/planted\/elsewhere\/q\w+\.mdx)/.exec(String(trial.value)) ?? [];
    expect(judge(trial, { events: [open(2, name, 'failed')] })).toMatchObject({ oracle: 'open-outside', events: [2] });
  });

  it('is proved by a file that was written outside', () => {
    const trial = trialOf(trials, 'path-traversal', 'up-written', '/output_file');
    const { path } = the(trial, 'file-marker');
    expect(judge(trial, { newFiles: [path] })).toMatchObject({ oracle: 'file-marker' });
    expect(judge(trial, { newFiles: [`/planted/root${path}`] })).toBeNull();
  });
});

describe('a request to where it should not go', () => {
  const loopback = trialOf(trials, 'ssrf', 'loopback', '/url');
  const metadata = trialOf(trials, 'ssrf', 'metadata', '/url');
  const token = the(metadata, 'request-to').path ?? '';
  const header = trialOf(trials, 'crlf', 'header', '/header');
  const name = the(header, 'request-to').header ?? '';
  const entity = trialOf(trials, 'xxe', 'host', '/xml');
  const host = the(entity, 'request-to').host ?? '';
  const foreign = trialOf(trials, 'ssrf', 'another-host', '/text');
  const foreignHost = the(foreign, 'request-to').host ?? '';

  it.each<readonly [string, Trial, Event, boolean]>([
    ['loopback', loopback, connect(1, '127.0.0.1', 18070), true],
    ['IPv6 loopback', loopback, connect(1, '::1', 18070), true],
    ['mapped loopback', loopback, connect(1, '::ffff:7f00:1', 18070), true],
    ['mapped loopback in dots', loopback, connect(1, '::ffff:127.0.0.1', 18070), true],
    ['every address', loopback, connect(1, '0.0.0.0', 18070), true],
    ['another port of loopback', loopback, connect(1, '127.0.0.1', 5432), false],
    ['the same port elsewhere', loopback, connect(1, '198.18.0.9', 18070), false],
    ['a question for localhost', loopback, dnsQuery(1, 'localhost'), false],
    ['metadata', metadata, httpRequest(1, '169.254.169.254', `/latest/meta-data/${token}`), true],
    [
      'metadata that the server asks for itself',
      metadata,
      httpRequest(1, '169.254.169.254', '/latest/api/token'),
      false,
    ],
    [
      'an API that gets the address as a value',
      metadata,
      httpRequest(1, 'api.example.com', `/?u=http://169.254.169.254/latest/meta-data/${token}`),
      false,
    ],
    ['a connection to metadata', metadata, connect(1, '169.254.169.254', 80), false],
    ['a header of its own', header, httpRequest(1, 'api.example.com', '/', [[name, '1']]), true],
    ['a header in other letters', header, httpRequest(1, 'api.example.com', '/', [[name.toUpperCase(), '1']]), true],
    ['the header as a value', header, httpRequest(1, 'api.example.com', `/${name}`, [['accept', `${name}: 1`]]), false],
    ['an entity that was fetched', entity, httpRequest(1, host, '/e'), true],
    ['an entity whose host was asked for', entity, dnsQuery(1, `${host.toUpperCase()}.`), true],
    ['an entity of another name', entity, dnsQuery(1, `x${host}`), false],
    ['another host', foreign, httpRequest(1, foreignHost, '/'), true],
    ['another host that was only resolved, as guards do', foreign, dnsQuery(1, foreignHost), false],
    [
      'TLS to another host',
      foreign,
      event(1, 'tls-hello', { asked: { name: foreignHost, address: '198.18.0.5', port: 443 } }),
      true,
    ],
  ])('%s', (_, trial, seen, isHit) => {
    expect(judge(trial, { events: [seen] }) !== null).toBe(isHit);
  });

  it('is proved by what the inner service said', () => {
    expect(judge(loopback, { result: answer('cnryLoop3g5j8ra6') })).toMatchObject({ oracle: 'canary-in-result' });
  });
});

describe('what was computed', () => {
  const union = trialOf(trials, 'sql-injection', 'union-one', '/query');
  const template = trialOf(trials, 'template', 'double-braces', '/template');

  it.each([
    ['sql-altered', union],
    ['computed', template],
  ] as const)('%s is proved by the product', (kind, trial) => {
    const { product } = the(trial, kind);
    expect(judge(trial, { result: answer(`[{"name": ${product}}]`) })).toMatchObject({
      oracle: kind,
      evidenceClass: 'A',
    });
    for (const text of [`1${product}`, `${product}0`, product.slice(1), String(trial.value)]) {
      expect(judge(trial, { result: answer(text) }), text).toBeNull();
    }
    const [a, b] = (String(trial.value).match(/\d{5}/g) ?? []).map(Number);
    expect(Number(product)).toBe((a ?? 0) * (b ?? 0));
    expect(Number(product)).toBeLessThan(2 ** 31);
  });

  it('may be in the answer to the follow-up', () => {
    const trial = trialOf(trials, 'sql-injection', 'read-only-escape', '/sql');
    const { product } = the(trial, 'sql-altered');
    expect(trial.followUp).toMatch(/^SELECT n FROM tq\w+$/);
    expect(judge(trial, { followUp: answer(`[{"n":${product}}]`) })).toMatchObject({ oracle: 'sql-altered' });
    expect(judge(trial, {})).toBeNull();
  });

  it('a row that nobody asked for is proof, unless honest calls get it too', () => {
    for (const payload of ['always', 'greater']) {
      const trial = trialOf(trials, 'sql-injection', payload);
      const all = answer('[{"name":"ann"},{"name":"cnryRow6t1w4ec9"}]');
      expect(judge(trial, { result: all, honest: [all] })).toBeNull();
      expect(judge(trial, { result: answer('cnryRow6t1w4ec9') })).toMatchObject({ oracle: 'canary-in-result' });
    }
  });
});

describe('time', () => {
  const trial = trialOf(trials, 'exhaustion', 'letters', '/regex');

  it.each([
    [5000, 10, 'answered', true],
    [60_000, 100, 'timeout', true],
    [5000, 1000, 'answered', false],
    [900, 1, 'answered', false],
    [5000, undefined, 'answered', false],
    [60_000, 10, 'gone', false],
  ] as const)('%d ms against %s ms (%s): %s', (durationMs, baselineMs, outcome, isHit) => {
    const result = answer('', { durationMs, outcome });
    const verdict = judge(trial, baselineMs === undefined ? { result } : { result, baselineMs });
    expect(verdict !== null).toBe(isHit);
    if (verdict !== null) expect(verdict.evidenceClass).toBe('B');
  });

  it('has a baseline of nearly the same length', () => {
    for (const { id, value, baseline, oracles } of trials.filter((each) => each.class === 'exhaustion')) {
      if (oracles.some((oracle) => oracle.kind !== 'timing')) continue;
      expect(Math.abs(String(value).length - String(baseline).length), id).toBeLessThan(3);
    }
  });
});

describe('other effects', () => {
  it('evaluated code and unpacked objects are proved by their files', () => {
    for (const [kind, payload] of [
      ['code-eval', 'javascript'],
      ['code-eval', 'python'],
      ['deserialisation', 'pickle'],
      ['sql-injection', 'attach'],
    ] as const) {
      const trial = trialOf(trials, kind, payload);
      expect(judge(trial, { newFiles: [the(trial, 'file-marker').path] }), trial.id).toMatchObject({
        oracle: 'file-marker',
      });
    }
  });

  it('a polluted prototype is proved by the name of the next process', () => {
    const trial = trialOf(trials, 'prototype-pollution', 'name-of-process');
    const { program } = the(trial, 'exec-marker');
    const started = event(2, 'exec', { path: { text: '/usr/bin/git' }, argv: [{ text: program }, { text: 'log' }] });
    expect(judge(trial, { events: [started] })).toMatchObject({ events: [2] });
    expect(judge(trial, { events: [exec(2, 'git', program)] })).toBeNull();
  });

  it('what cannot be seen is never a hit', () => {
    const trial = trialOf(trials, 'prompt-injection', 'note');
    expect(
      judge(trial, { result: answer(String(trial.value)), events: [exec(1, 'touch', 'x')], newFiles: ['/x'] }),
    ).toBeNull();
  });

  it('fields of another shape are no error', () => {
    const odd: Event[] = [
      event(1, 'exec', {}),
      event(2, 'open', { path: 7, access: null }),
      event(3, 'http-request', { headers: 'x', asked: null }),
      event(4, 'dns-query', { questions: {} }),
      event(5, 'open', { path: { base64: '//8=' }, creates: true }),
    ];
    for (const trial of trials)
      expect(judge(trial, { events: odd, result: answer('', { raw: undefined }) })).toBeNull();
  });
});
