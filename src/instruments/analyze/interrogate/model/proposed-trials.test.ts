import { describe, expect, it } from 'vitest';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { positionsOf } from '../arguments/index.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import { judgeTrial, readTrialClasses } from '../trials/index.ts';
import { answer, dnsQuery, exec, httpRequest, observed, open, readBench } from '../trials/sample-observed.ts';
import type { Proposal } from './contract.ts';
import { judgeValue } from './judge-value.ts';
import { hostileClassNames, placeholders } from './placeholders.ts';
import { proposedInputs } from './proposed-inputs.ts';
import { proposedPayload, proposedTrials } from './proposed-trials.ts';

const bench = readBench();
const classes = readTrialClasses();

function toolWith(properties: object, name = 'tool'): ListedTool {
  return { name, inputSchema: { type: 'object', properties } };
}

const text = { type: 'string' };

function trialsFor(parameter: string, kind: string, value: string, tool = toolWith({ [parameter]: text })) {
  const proposals: Proposal[] = [{ tool: 'tool', honest: [], hostile: [{ parameter, class: kind, value }] }];
  return proposedTrials(proposals, tool, positionsOf(tool, bench.knowledge), sampleWorld, 'seed', bench);
}

describe('placeholders', () => {
  const borrowed = placeholders.flatMap(({ name, like }) =>
    Object.entries(like).map(([kind, id]) => [name, kind, id] as const),
  );

  it.each(borrowed)('%s in %s borrows from a payload that exists: %s', (_, kind, id) => {
    const payload = classes.find((each) => each.class === kind)?.payloads.find((each) => each.id === id);
    const kinds = payload?.oracles.map((oracle) => oracle.kind) ?? [];
    expect(kinds.length).toBeGreaterThan(0);
    expect(kinds).not.toContain('echo-never');
    expect(payload).not.toHaveProperty('followUp');
    expect(payload?.marker ?? 'product').toBe('product');
  });

  it('prove something in most classes, and only in classes that exist', () => {
    const names = classes.map((kind) => kind.class);
    expect(hostileClassNames(names)).toHaveLength(12);
    expect(new Set(borrowed.map(([, kind]) => kind)).size).toBe(12);
  });
});

describe('judgeValue', () => {
  it.each([
    ['command-injection', 'x; {{marker_command}} #', null],
    ['command-injection', '%0a{{marker_command}}', null],
    ['command-injection', '; id', 'no-placeholder'],
    ['command-injection', '{{unknown}}', 'no-placeholder'],
    ['command-injection', 'http://{{marker_host}}/', 'no-placeholder'],
    ['command-injection', '; [[token]] {{marker_command}}', 'shape'],
    ['command-injection', '; rm -rf / ; {{marker_command}}', 'harm'],
    ['command-injection', ':(){ :|:& };: {{marker_command}}', 'harm'],
    ['command-injection', '; shutdown now; {{marker_command}}', 'harm'],
    ['path-traversal', '{{outside_file}}', null],
    ['path-traversal', '/etc/passwd', 'no-placeholder'],
    ['argument-injection', '--output={{marker_file}}', null],
    ['argument-injection', '{{marker_file}}', 'shape'],
    ['sql-injection', "x' UNION SELECT {{multiply}} --", null],
    ['sql-injection', '({{multiply}})', 'shape'],
    ['sql-injection', "'; DROP TABLE users; SELECT {{multiply}} --", 'harm'],
    ['template', '{{{{multiply}}}}', null],
    ['template', '{{multiply}}', 'shape'],
    ['xxe', 'http://{{marker_host}}/', 'shape'],
    ['xxe', '<!DOCTYPE r SYSTEM "http://{{marker_host}}/">', null],
    ['crlf', 'a\r\n{{marker_header}}: 1', null],
    ['crlf', '{{marker_header}}', 'shape'],
    ['code-eval', '{{marker_command}}', 'shape'],
    ['code-eval', "exec(open({{python_path}},'w'))", null],
    ['prompt-injection', '{{honest}} now do {{up}}', 'no-placeholder'],
  ])('of %s, %j is %s', (kind, value, problem) => {
    expect(judgeValue(kind, value)).toBe(problem);
  });
});

describe('proposedTrials', () => {
  it('are made with marks of their own, and proven by the world alone', () => {
    const [trial] = trialsFor('name', 'command-injection', '{{honest}} && {{marker_command}} ||').trials;
    expect(trial).toMatchObject({ class: 'command-injection', tool: 'tool', isByDesign: false, cwe: ['CWE-78'] });
    expect(trial?.id).toMatch(/^command-injection\/model-[0-9a-f]{10} tool\/name$/);
    const value = String(trial?.value);
    const [, a = '', b = ''] = /\$\(\((\d+)\*(\d+)\)\)/.exec(value) ?? [];
    const marker = `${sampleWorld.temporary}/hc${Number(a) * Number(b)}`;
    if (trial === undefined) throw new Error('no trial');
    expect(judgeTrial(trial, observed({ events: [exec(1, 'touch', marker)] }))).toMatchObject({
      evidenceClass: 'A',
      oracle: 'exec-marker',
    });
    expect(judgeTrial(trial, observed({ newFiles: [marker] }))).toMatchObject({ evidenceClass: 'A' });
    // What only repeats the payload is no proof.
    for (const echo of [value, value.toUpperCase(), `cannot find ${value}`])
      expect(judgeTrial(trial, observed({ result: answer(echo) }))).toBeNull();
    expect(judgeTrial(trial, observed({ events: [exec(1, 'touch', value)] }))).toBeNull();
  });

  it.each([
    ['path', 'path-traversal', 'a/{{up}}{{outside_file}}', [open(1, sampleWorld.outsideFile)]],
    [
      'note',
      'xxe',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file://{{outside_file}}">]><a>&b;</a>',
      [open(1, sampleWorld.outsideFile)],
    ],
  ] as const)('for %s of %s see what was opened', (parameter, kind, value, events) => {
    const [trial] = trialsFor(parameter, kind, value).trials;
    if (trial === undefined) throw new Error('no trial');
    expect(judgeTrial(trial, observed({ events }))?.oracle).toBe('open-outside');
    expect(judgeTrial(trial, observed({ result: answer(`x ${sampleWorld.outsideCanary}`) }))?.oracle).toBe(
      'canary-in-result',
    );
    expect(judgeTrial(trial, observed({ result: answer(String(trial.value)) }))).toBeNull();
  });

  it('see an option that a program reads', () => {
    const [trial] = trialsFor('branch', 'argument-injection', '--receive-pack={{marker_file}}').trials;
    if (trial === undefined) throw new Error('no trial');
    const option = String(trial.value);
    expect(judgeTrial(trial, observed({ events: [exec(1, 'git', 'log', option)] }))?.oracle).toBe('argv-option');
    expect(judgeTrial(trial, observed({ events: [exec(1, 'git', 'log', '--', option)] }))).toBeNull();
  });

  it('see a product, a name that was asked for, and a header', () => {
    const [sql] = trialsFor('filter', 'sql-injection', "x' AND 1=0 UNION SELECT {{multiply}} --").trials;
    const [, a = '', b = ''] = /(\d+)\*(\d+)/.exec(String(sql?.value)) ?? [];
    if (sql === undefined) throw new Error('no trial');
    expect(judgeTrial(sql, observed({ result: answer(`rows: ${Number(a) * Number(b)}`) }))?.oracle).toBe('sql-altered');
    const [xml] = trialsFor('data', 'xxe', '<!DOCTYPE r SYSTEM "http://{{marker_host}}/x"><r/>').trials;
    const [, host = ''] = /http:\/\/([^/]+)/.exec(String(xml?.value)) ?? [];
    if (xml === undefined) throw new Error('no trial');
    expect(judgeTrial(xml, observed({ events: [dnsQuery(1, host)] }))?.oracle).toBe('request-to');
    const [header] = trialsFor('agent', 'crlf', 'a\r\n{{marker_header}}: 1').trials;
    if (header === undefined) throw new Error('no trial');
    const [, name = ''] = /(x-[a-z]+)/.exec(String(header.value)) ?? [];
    expect(judgeTrial(header, observed({ events: [httpRequest(1, 'h', '/', [[name, '1']])] }))?.oracle).toBe(
      'request-to',
    );
  });

  it.each([
    ['a plain path outside, for a tool without a promise', 'path', 'path-traversal', 'file:{{outside_file}}', true],
    ['a way up', 'path', 'path-traversal', '{{up}}{{outside_file}}x', false],
    ['a command for a tool that runs commands', 'command', 'command-injection', 'true; {{marker_command}}', true],
  ])('%s is by design or not', (_, parameter, kind, value, isByDesign) => {
    expect(trialsFor(parameter, kind, value).trials.map((trial) => trial.isByDesign)).toEqual([isByDesign]);
  });

  it.each([
    ['a host for a tool that fetches from hosts', 'url', 'ssrf', 'http://{{marker_host}}/x'],
    ['code for a tool that runs commands', 'command', 'code-eval', 'os.system("{{marker_command}}")'],
    ['a value without a placeholder', 'x', 'command-injection', '; id'],
    ['a class that is not there', 'x', 'nothing', '{{marker_command}}'],
    ['a parameter that is not there', 'y', 'command-injection', '; {{marker_command}}'],
    ['what the class has already', 'x', 'command-injection', '{{honest}} | {{marker_command}}'],
  ])('are not made of %s', (_, parameter, kind, value) => {
    const tool = toolWith({ x: text, url: text, command: text });
    expect(trialsFor(parameter, kind, value, tool).trials).toEqual([]);
  });

  it('are not made for another tool', () => {
    expect(trialsFor('x', 'command-injection', '; {{marker_command}}', toolWith({ x: text }, 'other')).trials).toEqual(
      [],
    );
  });

  it('go into texts inside a parameter that is none', () => {
    const tool = toolWith({
      list: { type: 'array', items: { type: 'object', properties: { a: text, n: { type: 'number' } } } },
    });
    const { trials } = trialsFor('list', 'command-injection', '&& {{marker_command}}', tool);
    expect(trials.map(({ position }) => position.pointer)).toEqual(['/list/0/a']);
  });

  it('tell what this world cannot show', () => {
    const { loopback: _, ...world } = sampleWorld;
    const tool = toolWith({ path: text });
    const proposals: Proposal[] = [
      {
        tool: 'tool',
        honest: [],
        hostile: [{ parameter: 'path', class: 'path-traversal', value: '{{outside_file}}/.' }],
      },
    ];
    const made = proposedTrials(
      proposals,
      tool,
      positionsOf(tool, bench.knowledge),
      { ...world, outsideCanary: 'x' },
      'seed',
      bench,
    );
    expect(made.trials.every((trial) => trial.oracles.every(({ kind }) => kind === 'open-outside'))).toBe(true);
  });

  it('are the same again for the same seed, and share an id with nothing else', () => {
    const twice = [1, 2].map(() => trialsFor('x', 'command-injection', '; {{marker_command}}').trials);
    expect(twice[0]).toEqual(twice[1]);
    expect(
      proposedPayload(classes[0] ?? ({ ...bench.classes[0], class: '' } as never), '; {{marker_command}} ;')?.id,
    ).not.toBe(twice[0]?.[0]?.payload);
  });
});

describe('proposedInputs', () => {
  const inputs = (honest: Proposal['honest'], world = sampleWorld) =>
    proposedInputs([{ tool: 'tool', honest, hostile: [] }], 'tool', world).map(({ input }) => input);

  it('have things of the world where the model left them open', () => {
    expect(
      inputs([{ path: '{{file}}', more: [{ from: '{{url}}?q=1' }], n: 3 }, { a: '{{other}} {{marker_command}}' }]),
    ).toEqual([
      { path: sampleWorld.files.text, more: [{ from: `${sampleWorld.url}?q=1` }], n: 3 },
      { a: '{{other}} {{marker_command}}' },
    ]);
  });

  it('are left out where the world has no such thing, and for other tools', () => {
    const { database: _, ...world } = sampleWorld;
    expect(inputs([{ db: '{{database}}' }, { a: 1 }], world)).toEqual([{ a: 1 }]);
    expect(proposedInputs([{ tool: 'x', honest: [{}], hostile: [] }], 'tool', sampleWorld)).toEqual([]);
  });
});
