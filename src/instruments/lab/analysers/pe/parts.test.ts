import { describe, expect, it } from 'vitest';
import { OutOfBounds } from '../reader.ts';
import { childrenOf, descend, oidOf, readAsn1 } from './asn1.ts';
import { windowsCapabilities } from './capabilities.ts';
import { importHash } from './imports.ts';
import { ordinalName } from './ordinals.ts';
import { packerTable } from './packers.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

describe('ASN.1', () => {
  it('walks a structure', () => {
    const node = readAsn1(bytes('300a06062a864886f70d0500ff'));
    expect(childrenOf(node).map(({ tag }) => tag)).toEqual([6, 5]);
    expect(oidOf(descend(node, 0))).toBe('1.2.840.113549');
  });

  it('reads long lengths', () => {
    const content = Buffer.alloc(300, 1);
    expect(readAsn1(Buffer.concat([bytes('0482012c'), content])).content.length).toBe(300);
  });

  it.each(['', '30', '3005', '3080', '30850000000001', '1f01', '3084ffffffff'])('refuses %j', (hex) => {
    expect(() => readAsn1(bytes(hex))).toThrow(OutOfBounds);
  });

  it('refuses a child that is not there', () => {
    expect(() => descend(readAsn1(bytes('3000')), 0)).toThrow(OutOfBounds);
  });
});

describe('import hash', () => {
  it.each([
    ['ws2_32.dll', 23, 'socket'],
    ['WSOCK32.dll', 115, 'WSAStartup'],
    ['OLEAUT32.dll', 2, 'SysAllocString'],
    ['oleaut32.dll', 443, 'UnRegisterTypeLibForUser'],
    ['ws2_32.dll', 9999, undefined],
    ['user32.dll', 23, undefined],
  ])('%s %i', (dll, ordinal, name) => {
    expect(ordinalName(dll, ordinal)).toBe(name);
  });

  it('does not care for case, ending or number', () => {
    const entry = { bound: false };
    const named = importHash([{ ...entry, dll: 'WS2_32.DLL', functions: [{ name: 'SOCKET' }] }]);
    expect(importHash([{ ...entry, dll: 'ws2_32.dll', functions: [{ ordinal: 23 }] }])).toBe(named);
    expect(importHash([{ ...entry, dll: 'ws2_32.exe', functions: [{ ordinal: 23 }] }])).not.toBe(named);
    expect(importHash([])).toBeNull();
  });
});

describe('tables', () => {
  it('hold each rule once, with ids of the right form', () => {
    const rules = windowsCapabilities.map(({ rule }) => rule);
    expect(new Set(rules).size).toBe(rules.length);
    for (const { attack = [], mbc = [], benign } of windowsCapabilities) {
      for (const id of attack) expect(id).toMatch(/^T\d{4}(?:\.\d{3})?$/);
      for (const id of mbc) expect(id).toMatch(/^[A-F]\d{4}(?:\.\d{3})?$/);
      expect(benign).not.toBe('');
    }
  });

  it('know usual sections from those of packers', () => {
    const usual = [
      '.text',
      '.data',
      '.rdata',
      '.rsrc',
      '.reloc',
      '.pdata',
      '.tls',
      '.idata',
      'INIT',
      '.bss',
      'CODE',
      '.00cfg',
    ];
    const hits = packerTable.filter(({ sections }) =>
      usual.some((name) => sections.some((pattern) => pattern.test(name))),
    );
    expect(hits).toEqual([]);
  });
});
