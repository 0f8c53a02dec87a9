import type { KindId } from '../../../../src/instruments/lab/kinds.ts';
import { join, le16, le32, noise, put, raw, utf16be, utf16le } from './build.ts';
import { makeOle2 } from './make-ole2.ts';
import { makeElf, makeMacho, makePe } from './make-programs.ts';
import { makeZip } from './make-zip.ts';

export interface KindSample {
  readonly kind: KindId;
  readonly label: string;
  readonly bytes: Uint8Array;
}

const of = (kind: KindId, label: string, bytes: Uint8Array | string): KindSample => ({
  kind,
  label,
  bytes: typeof bytes === 'string' ? raw(bytes) : bytes,
});

function makeTar(): Uint8Array {
  const blank = put(1024, [
    [0, 'note.txt'],
    [100, '0000644\0'],
    [148, '        '],
  ]);
  const sum = blank.reduce((all, byte) => all + byte, 0);
  blank.set(raw(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return blank;
}

const content = { name: '[Content_Types].xml' };
const power = "$client = New-Object Net.WebClient\n$env:TEMP\nWrite-Host 'hello'\n";
const visual =
  'On Error Resume Next\r\nDim shell\r\nSet shell = CreateObject("Scripting.Dictionary")\r\nMsgBox "hello"\r\n';
const guid = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const mark = Uint8Array.of(0xff, 0xfe);

const binaries = (): readonly KindSample[] => [
  of('empty', 'nothing', ''),
  of('pe', 'PE32', makePe()),
  of('pe', 'PE32+', makePe({ isWide: true })),
  of('dotnet', '.NET', makePe({ isDotnet: true })),
  of('data', 'MZ alone', join(raw('MZ'), noise(200, 9))),
  of('data', 'a PE behind junk', join(noise(16, 3), makePe())),
  of('elf', 'ELF', makeElf()),
  of(
    'memory',
    'core of a virtual machine',
    put(256, [
      [0, makeElf()],
      [16, le16(4)],
      [140, 'VBCORE'],
    ]),
  ),
  of('macho', 'thin', makeMacho()),
  of('macho', 'universal', put(64, [[0, '\xca\xfe\xba\xbe\0\0\0\x02\x01\0\0\x07']])),
  of('class', 'Java class', put(64, [[0, '\xca\xfe\xba\xbe\0\0\0\x41']])),
  of('wasm', 'WebAssembly', '\0asm\x01\0\0\0'),
  of('pdf', 'at the beginning', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'),
  of('pdf', 'behind 900 bytes', join(noise(900, 5), raw('%PDF-1.4\n'))),
  of('rtf', 'short word', '{\\rt hello}'),
  of('rtf', 'usual', '{\\rtf1\\ansi hello}'),
  of('lnk', 'shortcut', put(80, [[0, 'L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F']])),
  of('onenote', 'section', join(guid('e4525c7b8cd8a74daeb15378d02996d3'), new Uint8Array(32))),
  of('pyc', 'Python 3.11', join(le16(3495), raw('\r\n'), new Uint8Array(12), Uint8Array.of(0xe3, 0, 0))),
  of('dex', 'DEX', 'dex\n035\0'),
  of('pcap', 'pcap', put(40, [[0, le32(0xa1b2c3d4)]])),
  of('pcap', 'pcapng', put(40, [[0, '\n\r\r\n\x1c\0\0\0M<+\x1a']])),
  of(
    'etl',
    'trace',
    put(4096, [
      [0, le32(0x10000)],
      [0x48, Uint8Array.of(2, 0, 2, 0xc0)],
    ]),
  ),
  of('7z', '7z', "7z\xbc\xaf'\x1c\0\x04"),
  of('rar', 'version 4', 'Rar!\x1a\x07\0'),
  of('rar', 'version 5', 'Rar!\x1a\x07\x01\0'),
  of('tar', 'without ustar', makeTar()),
  of('gzip', 'gzip', '\x1f\x8b\x08\0\0\0\0\0\0\x03'),
  of('bzip2', 'bzip2', 'BZh91AY&SY'),
  of('xz', 'xz', '\xfd7zXZ\0\0\x04'),
  of('zstd', 'zstd', '(\xb5/\xfd\x04\0'),
  of('cab', 'cabinet', put(64, [[0, 'MSCF\0\0\0\0']])),
  of('iso', 'ISO', put(0x8800, [[0x8001, 'CD001']])),
  of('chm', 'help', put(64, [[0, 'ITSF\x03\0\0\0']])),
  of('memory', 'crash dump', put(8192, [[0, 'PAGEDU64']])),
  of('memory', 'LiME', put(8192, [[0, 'EMiL\x01\0\0\0']])),
  of('memory', 'hibernation', put(8192, [[0, 'HIBR']])),
  of('registry', 'hive', put(4096, [[0, 'regf']])),
  of('sqlite', 'database', put(1024, [[0, 'SQLite format 3\0']])),
  of('image', 'PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  of('autoit', 'compiled', put(64, [[0, '\xa3HK\xbe\x98lJ\xa9\x99LS\n\x86\xd6H}']])),
  of('shellcode', 'fnstenv', join(raw('\xd9\xee\xd9\x74\x24\xf4\x5b\x31\xc9\xb1\x10'), noise(64, 7))),
  of('shellcode', 'x86-64 loader', join(raw('\xfc\x48\x83\xe4\xf0\xe8\xc0\0\0\0'), noise(64, 8))),
  of('data', 'noise', noise(3000, 11)),
];

const containers = (): readonly KindSample[] => [
  of('zip', 'plain', makeZip([{ name: 'note.txt' }])),
  of('zip', 'encrypted', makeZip([{ name: 'note.txt' }], 1)),
  of('ooxml', 'document', makeZip([content, { name: 'word/document.xml' }])),
  of('ooxml', 'workbook', makeZip([content, { name: 'xl/workbook.xml' }])),
  of('jar', 'jar', makeZip([{ name: 'META-INF/MANIFEST.MF' }, { name: 'a/B.class' }])),
  of(
    'apk',
    'apk',
    makeZip([{ name: 'AndroidManifest.xml' }, { name: 'classes.dex' }, { name: 'META-INF/MANIFEST.MF' }]),
  ),
  of('ole2', 'document', makeOle2([{ name: 'WordDocument', head: raw('\xec\xa5\xc1\0\0\0\0\0\0\0\0\0') }])),
  of(
    'office-encrypted',
    'legacy document',
    makeOle2([{ name: 'WordDocument', head: raw('\xec\xa5\xc1\0\0\0\0\0\0\0\0\x01') }]),
  ),
  of('ole2', 'workbook', makeOle2([{ name: 'Workbook', head: raw('\x09\x08\x04\0\0\x06\x05\0\x42\0\x02\0\xb0\x04') }])),
  of(
    'office-encrypted',
    'legacy workbook',
    makeOle2([{ name: 'Workbook', head: raw('\x09\x08\x04\0\0\x06\x05\0\x2f\0\x02\0\0\0') }]),
  ),
  of('office-encrypted', 'new document', makeOle2([{ name: 'EncryptionInfo' }, { name: 'EncryptedPackage' }])),
  of('msg', 'by stream', makeOle2([{ name: '__properties_version1.0' }, { name: '__substg1.0_0037001F' }])),
  of('msi', 'by class', makeOle2([{ name: 'x' }], '84100c0000000000c000000000000046')),
];

const texts = (): readonly KindSample[] => [
  of('text', 'prose', 'A quiet evening at the lake, and nothing else to report.\n'),
  of('javascript', 'page code', "var a = 1;\nfunction go(x) { return x === a; }\nconsole.log('hello');\n"),
  of('javascript', 'node by its shebang', '#!/usr/bin/env -S node --no-warnings\nprocess.exit()\n'),
  of('vbscript', 'ASCII', visual),
  of('vbscript', 'UTF-16LE with a mark', join(mark, utf16le(visual))),
  of('vbe', 'encoded', '#@~^DgAAAA==\\ko$K6,JtV^GJqAQAAA==^#~@'),
  of('powershell', 'ASCII', power),
  of('powershell', 'UTF-16LE', utf16le(power)),
  of('powershell', 'UTF-16BE', utf16be(power)),
  of('powershell', 'UTF-8 with a mark', join(Uint8Array.of(0xef, 0xbb, 0xbf), raw(power))),
  of('batch', 'batch', '@echo off\r\nset name=world\r\nif exist x.txt goto end\r\n:end\r\n'),
  of('shell', 'shebang', '#!/bin/sh\nls\n'),
  of('shell', 'idioms', 'if [ -f x ]; then\n  export A=1\nfi\n'),
  of('python', 'idioms', 'import os\nfrom sys import argv\n\ndef main(x):\n    print(x)\n'),
  of('python', 'shebang through env', '#!/usr/bin/env python3\npass\n'),
  of('perl', 'idioms', 'use strict;\nuse warnings;\nmy $x = shift;\n'),
  of('php', 'tag', '<?php echo 1; ?>\n'),
  of('ruby', 'idioms', "require 'set'\n[1].each do |x|\n  puts x\nend\n"),
  of('autoit', 'source', '#include <File.au3>\nLocal $x = 1\nFunc Go()\nEndFunc\n'),
  of('hta', 'application', '<html><head><hta:application id="x"></head></html>'),
  of('html', 'page', '<!DOCTYPE html>\n<html><body>hello</body></html>'),
  of('html', 'a script alone', '<script>var x = 1;</script>'),
  of('svg', 'behind a prolog', '<?xml version="1.0"?>\n<!-- x -->\n<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
  of('wsf', 'job', '<job id="x"><script language="JScript">var a = 1;</script></job>'),
  of('xml', 'xml', '<?xml version="1.0"?><note><to>you</to></note>'),
  of('json', 'object', '{ "function": "var x = 1", "list": [1, 2] }'),
  of(
    'eml',
    'mail',
    'Received: from a.example\r\n\tby b.example\r\nFrom: a@a.example\r\nTo: b@b.example\r\nSubject: hello\r\n\r\nHello.\r\n',
  ),
  of(
    'registry',
    'text in UTF-16LE',
    join(mark, utf16le('Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\x]\r\n')),
  ),
];

/** At least one sample of every kind that there is. */
export const kindSamples = (): readonly KindSample[] => [...binaries(), ...containers(), ...texts()];
