import { compressVba } from './compress-vba.ts';

/** The streams of a VBA project with the modules that are asked for. */

export interface SampleModule {
  readonly name: string;
  readonly source: string;
  readonly isDocument?: boolean;
  /** In front of the source, where compiled code lies. */
  readonly compiled?: Buffer;
  /** Written instead of the source. */
  readonly stomped?: Buffer;
}

function record(id: number, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data);
  const head = Buffer.alloc(6);
  head.writeUInt16LE(id, 0);
  head.writeUInt32LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}

function number(value: number, size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(value, 0, size);
  return bytes;
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

function moduleRecords({ name, isDocument, compiled }: SampleModule): Buffer {
  return Buffer.concat([
    record(0x19, name),
    record(0x47, wide(name)),
    record(0x1a, name),
    record(0x32, wide(name)),
    record(0x1c, ''),
    record(0x48, ''),
    record(0x31, number(compiled?.length ?? 0, 4)),
    record(0x1e, number(0, 4)),
    record(0x2c, number(0xffff, 2)),
    record(isDocument ? 0x22 : 0x21, ''),
    record(0x2b, ''),
  ]);
}

function directory(modules: readonly SampleModule[]): Buffer {
  const version = Buffer.concat([number(9, 2), number(4, 4), number(1, 4), number(1, 2)]);
  const library = '*\\G{00020430-0000-0000-C000-000000000046}#2.0#0#stdole2.tlb#OLE Automation';
  return Buffer.concat([
    record(0x01, number(3, 4)),
    record(0x02, number(0x409, 4)),
    record(0x14, number(0x409, 4)),
    record(0x03, number(1252, 2)),
    record(0x04, 'Sample'),
    record(0x05, ''),
    record(0x40, ''),
    record(0x06, ''),
    record(0x3d, ''),
    record(0x07, number(0, 4)),
    record(0x08, number(0, 4)),
    version,
    record(0x0c, ''),
    record(0x3c, ''),
    record(0x16, 'stdole'),
    record(0x3e, wide('stdole')),
    record(0x0d, Buffer.concat([number(library.length, 4), Buffer.from(library), Buffer.alloc(6)])),
    record(0x0f, number(modules.length, 2)),
    record(0x13, number(0xffff, 2)),
    ...modules.map(moduleRecords),
    record(0x10, ''),
  ]);
}

/** Under `prefix`, which ends in a slash or is empty. */
export function vbaStreams(modules: readonly SampleModule[], prefix = ''): Record<string, Buffer> {
  const names = modules.map(({ name, isDocument }) => (isDocument ? `Document=${name}/&H00000000` : `Module=${name}`));
  const streams: Record<string, Buffer> = {
    [`${prefix}PROJECT`]: Buffer.from(
      ['ID="{00000000-0000-0000-0000-000000000000}"', ...names, 'Name="Sample"', 'HelpContextID="0"', ''].join('\r\n'),
    ),
    [`${prefix}VBA/dir`]: compressVba(directory(modules)),
    [`${prefix}VBA/_VBA_PROJECT`]: Buffer.from([0xcc, 0x61, 0xff, 0xff, 0, 0, 0]),
  };
  for (const { name, source, compiled, stomped, isDocument } of modules) {
    const attributes = `Attribute VB_Name = "${name}"\r\n${isDocument ? 'Attribute VB_Base = "1Normal.ThisDocument"\r\n' : ''}`;
    const body = stomped ?? compressVba(Buffer.from(attributes + source.replaceAll('\n', '\r\n'), 'latin1'));
    streams[`${prefix}VBA/${name}`] = Buffer.concat([compiled ?? Buffer.alloc(0), body]);
  }
  return streams;
}

/** Builds its strings from pieces as droppers do; what it would start does not exist. */
export const dropperSource = `Sub AutoOpen()
    Dim target As String
    target = "http://" & "payload.example" & Chr(46) & "com/" & StrReverse("nib.egats")
    target = target & "?id=" & Replace("1#2#3", "#", "")
    Set shellObject = CreateObject("WScript" & ".Shell")
    shellObject.Run "cmd.exe /c echo " & Environ("TEMP"), 0, _
        False
    hidden = "68747470733a2f2f6865782e6578616d706c652e636f6d2f61"
End Sub
Private Sub Document_Open()
    AutoOpen
End Sub
`;

export const harmlessSource = `Sub SortTable()
    ' Sorts what is selected
    Selection.Sort
End Sub
`;
