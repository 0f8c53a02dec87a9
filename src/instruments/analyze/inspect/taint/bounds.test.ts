import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../../base/finding-schema.ts';
import { inspectSample, sampleTool } from './sample-tree.ts';

const titles = (result: { readonly notAnalysed: readonly { readonly title: string }[] }) =>
  result.notAnalysed.map((finding) => finding.title);

describe('what was not looked at is told', () => {
  it('a package without a handler', async () => {
    const result = await inspectSample({ 'index.js': 'export const add = (a, b) => a + b;' });
    expect(result.notAnalysed).toMatchObject([{ rule: 'taint/not-analysed', evidenceClass: 'U', severity: 'info' }]);
    expect(titles(result)[0]).toMatch(/^No handler/);
    expect(result.skipped).toEqual([{ path: 'index.js', reason: 'not-reached' }]);
    for (const finding of result.notAnalysed) expect(findingSchema.parse(finding)).toEqual(finding);
  });

  it('a file that is no program', async () => {
    const result = await inspectSample({ ...sampleTool('return {};'), 'broken.js': 'server.tool( {{{{ not a program' });
    expect(titles(result)).toEqual(['1 source file was not analysed: unparsable']);
    expect(result.skipped).toEqual([{ path: 'broken.js', reason: 'unparsable' }]);
  });

  it('a file that is too large', async () => {
    const result = await inspectSample(
      { ...sampleTool('return {};'), 'big.js': `// ${'x'.repeat(5000)}\nserver.tool('a', () => {});` },
      { fileBytes: 4000 },
    );
    expect(titles(result)).toEqual(['1 source file was not analysed: too-large']);
  });

  it('more text than is allowed in all', async () => {
    const files = { ...sampleTool('return {};'), 'a.js': 'x'.repeat(900), 'b.js': 'x'.repeat(900) };
    const result = await inspectSample(files, { totalBytes: 2000 });
    expect(result.skipped).toContainEqual({ path: 'b.js', reason: 'over-budget' });
    expect(titles(result)).toContain('1 source file was not analysed: over-budget');
  });

  it('a handler whose walk takes too long', async () => {
    const calls = Array.from({ length: 300 }, (_, index) => `f${index}(x)`).join(';');
    const functions = Array.from(
      { length: 300 },
      (_, index) => `function f${index}(a) { return f${(index + 1) % 300}(a + ${index}); }`,
    ).join('\n');
    const result = await inspectSample(sampleTool(calls, functions), { handlerSteps: 2000 });
    expect(titles(result)[0]).toMatch(/^The work allowed ran out in 1 places: index\.js \(t\)/);
  });

  it('a time that is over before it began', async () => {
    const result = await inspectSample(sampleTool('exec(`ls ${x}`);'), { totalMs: -1 });
    expect(result.findings).toEqual([]);
    expect(titles(result).some((title) => title.startsWith('The work allowed ran out'))).toBe(true);
  });

  it('declarations and dependencies are not sources', async () => {
    const { 'index.js': text = '' } = sampleTool('exec(`ls ${x}`);');
    const result = await inspectSample({
      ...sampleTool('return {};'),
      'index.d.ts': 'export declare const a: 1;',
      'node_modules/a/index.js': text,
    });
    expect(result.findings).toEqual([]);
    expect(result.analysed).toEqual(['index.js']);
  });
});

describe('code that is meant to exhaust', () => {
  it.each([
    ['calls itself', 'function f(a) { return f(f(a)) + f(a + 1); }', 'f(x); exec(`ls ${x}`);'],
    [
      'calls itself through others',
      'const a = (v) => b(v) + b(v); const b = (v) => c(v) + c(v); const c = (v) => a(v) + a(v);',
      'a(x); exec(`ls ${x}`);',
    ],
    ['loops for ever', '', 'while (true) { if (x === "stop") break; } exec(`ls ${x}`);'],
    [
      'loops in loops',
      '',
      'for (const a of x) for (const b of x) for (const c of x) for (const d of x) { exec(`ls ${a}${b}${c}${d}`); }',
    ],
    [
      'refers to itself',
      'const o = {}; o.self = o; o.self.self = [o, o];',
      'o.value = x; exec(`ls ${o.self.self[0].value}`);',
    ],
    ['inherits from itself', 'class A extends (() => A)() {}', 'new A(); exec(`ls ${x}`);'],
  ])('%s', async (_name, before, body) => {
    const result = await inspectSample(sampleTool(body, before));
    expect(result.findings.some((finding) => finding.rule === 'taint/command-injection')).toBe(true);
  });

  it('survives any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
        const result = await inspectSample({ 'index.js': `server.tool(${text}` });
        expect(Array.isArray(result.findings)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('survives programs put together by chance', async () => {
    const expression = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('x', 'args', 'this', '1', '"a"', 'null', '/a+/g', 'undefined', 'path', 'z.string()'),
        fc
          .tuple(
            tie('node'),
            fc.constantFrom('map', 'then', 'join', 'startsWith', 'replace', 'call', 'parse', 'find', 'reduce'),
            tie('node'),
          )
          .map(([a, name, b]) => `(${a}).${name}(${b})`),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a} ?? ${b})`),
        fc.tuple(tie('node'), tie('node'), tie('node')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
        tie('node').map((a) => `(() => { try { return ${a}; } catch { return x; } })()`),
        tie('node').map(
          (a) => `(async function f(y) { for (const q of ${a}) { if (q) continue; y = q; } return y; })(x)`,
        ),
        tie('node').map((a) => `new (class { v = ${a}; get g() { return this.v; } m() { return this.g; } })().m()`),
        tie('node').map((a) => `{ ...(${a}), x }.x`.replace(/^/, '(').replace(/$/, ')')),
        tie('node').map((a) => `path.join('/srv', ${a})`),
      ),
    })).node;
    await fc.assert(
      fc.asyncProperty(expression, async (text) => {
        const result = await inspectSample(sampleTool(`const args = { x }; exec(${text});`));
        expect(result.handlers).toHaveLength(1);
      }),
      { numRuns: 150 },
    );
  });
});
