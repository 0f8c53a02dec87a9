import { describe, expect, it } from 'vitest';
import { markerApk, markerDex } from '../../../../../test/samples/lab/android/make-android.ts';
import { fuzzAnalyser, inputOf } from '../../../../../test/samples/lab/fuzz-analyser.ts';
import type { AnalyserResult } from '../../contract.ts';
import { apk } from './apk.ts';
import { dexAnalyser } from './dex.ts';

describe('facts', () => {
  it.each([
    ['with names', false],
    ['whose names of attributes are emptied', true],
  ])('reads a package %s', (_name, empty) => {
    const { facts, findings, children, texts, notes } = apk.analyse(inputOf(markerApk(empty), 'apk')) as AnalyserResult;
    expect(facts).toMatchObject({
      package: 'com.example.marker',
      version_code: '7',
      version_name: '1.2',
      min_sdk: '21',
      target_sdk: '33',
      debuggable: 'true',
      dangerous_permissions: ['READ_SMS', 'RECEIVE_BOOT_COMPLETED'],
      main_activity: '.Main',
      signature_schemes: ['v2'],
      native_libraries: { 'arm64-v8a': ['libmarker.so'] },
      dex: [{ version: '035', classes: 1, strings: 6, checksum_matches: true, class_names: ['com.example.Marker'] }],
    });
    expect((facts.certificates as unknown[]).length).toBe(1);
    expect(findings.map(({ rule }) => rule).sort()).toEqual([
      'android.debuggable',
      'android.exported',
      'android.hidden-code',
      'android.permissions',
      'android.permissions.messages-and-start',
      'android.service.powerful',
      'android.sms',
      'java.load-code',
    ]);
    expect(children.map(({ name }) => name)).toEqual(['assets/data.bin', 'lib/arm64-v8a/libmarker.so']);
    expect(texts.some(({ text }) => text.includes('http://dex.example.com/'))).toBe(true);
    expect(notes).toEqual([]);
  });

  it('tells a checksum that differs', () => {
    const bytes = markerDex();
    bytes[bytes.length - 3] = 0x21;
    expect((dexAnalyser.analyse(inputOf(bytes, 'dex')) as AnalyserResult).facts.checksum_matches).toBe(false);
  });
});

it('is not troubled by mutated samples', async () => {
  expect((await fuzzAnalyser(apk, [{ bytes: markerApk(), kind: 'apk' }])).problems).toEqual([]);
  expect((await fuzzAnalyser(dexAnalyser, [{ bytes: markerDex(), kind: 'dex' }])).problems).toEqual([]);
});
