import { describe, expect, it } from 'vitest';
import { tellReport } from './index.ts';
import { tellFacts } from './tell-facts.ts';

describe('facts as they are told', () => {
  it.each([
    { is: 'a word', facts: { language: 'shell' }, pairs: [['language', 'shell']] },
    { is: 'a name with an acronym', facts: { pdb_path: 'C:\\a.pdb' }, pairs: [['PDB path', 'C:\\a.pdb']] },
    { is: 'a yes', facts: { is_dll: true }, pairs: [['is DLL', 'yes']] },
    { is: 'a no that says nothing', facts: { is_dll: false }, pairs: [] },
    { is: 'nothing', facts: { a: null, b: '', c: 0, d: [], e: {} }, pairs: [] },
    { is: 'counts', facts: { names: { JS: 2, AA: 0 } }, pairs: [['names', 'JS 2']] },
    { is: 'yes and no', facts: { m: { aslr: true, dep: false } }, pairs: [['m', 'ASLR; not DEP']] },
    { is: 'a short list', facts: { to: ['a', 'b'] }, pairs: [['to', 'a, b']] },
    { is: 'a moment', facts: { timestamp: { seconds: 1, iso: '2020' } }, pairs: [['timestamp', '2020']] },
  ])('$is', ({ facts, pairs }) => {
    expect(tellFacts('other', facts).pairs).toEqual(pairs);
  });

  it('says no where no is worth knowing, and leaves out what only programs read', () => {
    expect(tellFacts('pe', { is_signed: false, section_alignment: 4096 }).pairs).toEqual([['is signed', 'no']]);
  });

  it('makes a table of records, wide columns last and empty ones not at all', () => {
    const rows = [
      { functions: ['a'.repeat(50)], dll: 'one.dll', note: null },
      { functions: ['b'], dll: 'two.dll', note: '' },
    ];
    expect(tellFacts('other', { imports: rows }).tables).toEqual([
      {
        title: 'imports',
        columns: ['DLL', 'functions'],
        rows: [
          ['one.dll', 'a'.repeat(50)],
          ['two.dll', 'b'],
        ],
      },
    ]);
  });

  it('shows decoded layers and long lists as text', () => {
    const { texts } = tellFacts('script', {
      layers: [{ index: 1, how: 'base64', language: 'shell', characters: 4, preview: 'a\nb' }],
      names: Array.from({ length: 30 }, (_, at) => `n${at}`),
    });
    expect(texts.map(({ title }) => title)).toEqual(['layer 1: base64 (shell, 4 characters)', 'names (30)']);
    expect(texts[0]?.text).toBe('a\nb');
    expect(texts[1]?.text).toMatch(/^n0, n1, /);
  });

  it('says how many rows there are when it shows fewer', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => ({ at }));
    const [table] = tellFacts('other', { rows }).tables;
    expect(table?.rows.length).toBe(300);
    expect(table?.title).toBe('rows (the first 300 of 5000)');
  });

  it.each(['__proto__', 'constructor', 'toString'])('takes %s for a name like any other', (name) => {
    const facts = JSON.parse(`{"${name}":"x","inner":[{"${name}":"y"}]}`);
    expect(tellFacts(name, facts).pairs).toContainEqual([name.replaceAll('_', ' '), 'x']);
  });

  it('puts what its own kind says first', () => {
    const run = (id: string) => ({
      id,
      version: 1,
      status: 'done' as const,
      elapsed_ms: 0,
      facts: { a: 'x' },
      notes: [],
    });
    const { main, general } = tellReport({ analysers: [run('strings'), run('pe')], tools: [] });
    expect([main.map(({ id }) => id), general.map(({ id }) => id)]).toEqual([['pe'], ['strings']]);
  });
});
