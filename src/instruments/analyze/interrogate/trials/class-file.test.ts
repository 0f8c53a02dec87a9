import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTrialClasses } from './class-file.ts';

const classes = readTrialClasses();
const payloads = classes.flatMap((kind) => kind.payloads.map((payload) => ({ kind, payload })));
const others = ['budgets', 'classes', 'guesses', 'meanings'];

describe('the files of payload classes', () => {
  it('are all in the list, and the list has no others', () => {
    const files = readdirSync(new URL('../../../../../rules/trials/', import.meta.url)).map((name) =>
      name.replace('.json', ''),
    );
    expect(classes.map((kind) => kind.class).toSorted()).toEqual(
      files.filter((name) => !others.includes(name)).toSorted(),
    );
  });

  it('cover what servers are attacked with', () => {
    expect(classes.map((kind) => kind.class)).toEqual([
      'command-injection',
      'argument-injection',
      'path-traversal',
      'ssrf',
      'sql-injection',
      'template',
      'code-eval',
      'xxe',
      'deserialisation',
      'prototype-pollution',
      'exhaustion',
      'crlf',
      'unicode-smuggling',
      'xss',
      'prompt-injection',
    ]);
    expect(payloads.length).toBeGreaterThan(180);
  });

  it('name every payload once', () => {
    const names = payloads.map(({ kind, payload }) => `${kind.class}/${payload.id}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('use every kind of oracle', () => {
    const kinds = new Set(payloads.flatMap(({ payload }) => payload.oracles.map((oracle) => oracle.kind)));
    expect([...kinds].toSorted()).toEqual([
      'argv-option',
      'canary-in-result',
      'computed',
      'echo-never',
      'exec-marker',
      'file-marker',
      'open-outside',
      'request-to',
      'sql-altered',
      'timing',
    ]);
  });

  it('give a likelihood for every other meaning', () => {
    for (const kind of classes) expect(kind.likely['*'], kind.class).toBeDefined();
  });

  it('remove nothing and change nothing but what they make', () => {
    const destructive =
      /\b(rm|rmdir|unlink|mkfs|dd|shutdown|reboot|kill|chmod|chown|drop\s+table|delete\s+from|truncate|update\s+\w+\s+set)\b|>\s*\/(etc|home|root|usr)/i;
    for (const { kind, payload } of payloads) {
      expect(JSON.stringify(payload.value ?? payload.repeat), `${kind.class}/${payload.id}`).not.toMatch(destructive);
    }
  });

  it('speak to nobody but the box, its fake internet and addresses that lead nowhere', () => {
    const inside =
      /^((second\.)?\[\[(host|domain|token|rebindingHost)\]\]|127\.|\[::|0x7f|0177\.|2130706433|0\.0\.0\.0|localhost|169\.254\.169\.254|10\.0\.0\.1|metadata\.google\.internal|www\.w3\.org|[^\x20-\x7e])/i;
    for (const { kind, payload } of payloads) {
      for (const [, host = ''] of JSON.stringify(payload.value ?? '').matchAll(
        /\b(?:https?|gopher|ftp):\/\/([^/"\\]+)/gi,
      )) {
        expect(inside.test(host) || host.startsWith('127'), `${kind.class}/${payload.id}: ${host}`).toBe(true);
      }
    }
  });
});
