import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fuzzAnalyser, inputOf } from '../../../../../test/samples/lab/fuzz-analyser.ts';
import { markerClass, markerJar } from '../../../../../test/samples/lab/java/make-java.ts';
import type { AnalyserResult } from '../../contract.ts';
import { readZip } from '../zip-reader.ts';
import { javaClass } from './class.ts';
import { jar } from './jar.ts';

describe('facts', () => {
  it('reads a class', () => {
    const { facts, findings, texts, notes } = javaClass.analyse(inputOf(markerClass(), 'class')) as AnalyserResult;
    expect(facts).toMatchObject({
      java_version: '8',
      name: 'com.example.Marker',
      super: 'java.lang.Object',
      interfaces: ['java.lang.Runnable'],
      methods: ['run'],
      source_file: 'Marker.java',
      strings: 2,
      references: ['java.lang.Runtime.exec', 'java.net.URLClassLoader.<init>', 'java.util.List.size'],
    });
    expect(findings.map(({ rule }) => rule)).toEqual(['java.run-program', 'java.load-code']);
    expect(texts[0]?.text).toBe('http://jar.example.com/next\nplain');
    expect(notes).toEqual([]);
  });

  it('reads an archive', () => {
    const { facts, findings, children, notes } = jar.analyse(inputOf(markerJar(), 'jar')) as AnalyserResult;
    expect(facts).toMatchObject({
      entries: 3,
      main_class: 'com.example.Marker',
      signed: false,
      classes: 1,
      class_versions: [52],
    });
    expect(findings.map(({ rule }) => rule)).toEqual(['java.run-program', 'java.load-code', 'java.nested-file']);
    expect(children.map(({ name, bytes }) => [name, readZip(bytes, () => undefined).entries[0]?.name])).toEqual([
      ['lib/inner.jar', 'a.txt'],
    ]);
    expect(notes).toEqual([]);
  });

  it('reads an archive whose directory is cut off', () => {
    const whole = markerJar();
    const { facts, notes } = jar.analyse(inputOf(whole.subarray(0, whole.length - 40), 'jar')) as AnalyserResult;
    expect(facts).toMatchObject({ main_class: 'com.example.Marker', classes: 1 });
    expect(notes.join()).toContain('no central directory');
  });

  it('reads an archive behind other data', () => {
    const { facts } = jar.analyse(
      inputOf(Buffer.concat([Buffer.alloc(500, 0x41), markerJar()]), 'jar'),
    ) as AnalyserResult;
    expect(facts).toMatchObject({ entries: 3, main_class: 'com.example.Marker' });
  });
});

describe.skipIf(spawnSync('unzip', ['-v']).status !== 0)('against unzip (skipped where it is not installed)', () => {
  it('agrees on the entries, and their content is whole', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jar-'));
    writeFileSync(join(folder, 'in.jar'), markerJar());
    const names = execFileSync('unzip', ['-Z1', join(folder, 'in.jar')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const content = execFileSync('unzip', ['-p', join(folder, 'in.jar'), 'com/example/Marker.class']);
    rmSync(folder, { recursive: true });
    const { entries } = readZip(markerJar(), () => undefined);
    expect(entries.map(({ name }) => name)).toEqual(names);
    expect(Buffer.from(entries[1]?.read(1_000_000).bytes ?? []).equals(content)).toBe(true);
  });
});

it('is not troubled by mutated samples', async () => {
  expect((await fuzzAnalyser(javaClass, [{ bytes: markerClass(), kind: 'class' }])).problems).toEqual([]);
  expect((await fuzzAnalyser(jar, [{ bytes: markerJar(), kind: 'jar' }])).problems).toEqual([]);
});
