import { makeCompound } from '../office/make-compound.ts';

/** Outlook messages, property by property. */

type Streams = Record<string, Buffer>;

const text = (prefix: string, id: string, value: string): Streams => ({
  [`${prefix}__substg1.0_${id}001F`]: Buffer.from(value, 'utf16le'),
});

function fixedRow(id: number, type: number, value: bigint): Buffer {
  const row = Buffer.alloc(16);
  row.writeUInt16LE(type, 0);
  row.writeUInt16LE(id, 2);
  row.writeUInt32LE(6, 4);
  row.writeBigUInt64LE(value, 8);
  return row;
}

function fixed(prefix: string, headBytes: number, rows: readonly Buffer[]): Streams {
  return { [`${prefix}__properties_version1.0`]: Buffer.concat([Buffer.alloc(headBytes), ...rows]) };
}

const sent = (BigInt(Date.UTC(2024, 4, 6, 7, 8, 9)) + 11_644_473_600_000n) * 10_000n;

export interface SampleMessage {
  readonly subject: string;
  readonly body: string;
  readonly html?: string;
  readonly headers?: string;
  readonly attachments?: readonly { readonly name: string; readonly content: Buffer }[];
  readonly inner?: SampleMessage;
  readonly extra?: Streams;
}

function messageStreams(message: SampleMessage, prefix: string, headBytes: number): Streams {
  const recipient = `${prefix}__recip_version1.0_#00000000/`;
  const streams: Streams = {
    ...fixed(prefix, headBytes, [fixedRow(0x0039, 0x40, sent), fixedRow(0x3fde, 3, 65_001n)]),
    ...text(prefix, '001A', 'IPM.Note'),
    ...text(prefix, '0037', message.subject),
    ...text(prefix, '0C1A', 'Alice Sample'),
    ...text(prefix, '0C1F', 'alice@example.com'),
    ...text(prefix, '0C1E', 'SMTP'),
    ...text(prefix, '1000', message.body),
    ...(message.headers === undefined ? {} : text(prefix, '007D', message.headers)),
    ...(message.html === undefined ? {} : { [`${prefix}__substg1.0_10130102`]: Buffer.from(message.html) }),
    ...fixed(recipient, 8, [fixedRow(0x0c15, 3, 1n)]),
    ...text(recipient, '3001', 'Bob Sample'),
    ...text(recipient, '3003', 'bob@example.org'),
    ...message.extra,
  };
  (message.attachments ?? []).forEach(({ name, content }, index) => {
    const attachment = `${prefix}__attach_version1.0_#${String(index).padStart(8, '0')}/`;
    Object.assign(
      streams,
      fixed(attachment, 8, [fixedRow(0x3705, 3, 1n)]),
      text(attachment, '3707', name),
      text(attachment, '3704', name.slice(0, 12)),
      {
        [`${attachment}__substg1.0_37010102`]: content,
      },
    );
  });
  if (message.inner !== undefined) {
    const attachment = `${prefix}__attach_version1.0_#0000000A/`;
    Object.assign(
      streams,
      fixed(attachment, 8, [fixedRow(0x3705, 3, 5n)]),
      text(attachment, '3001', message.inner.subject),
      messageStreams(message.inner, `${attachment}__substg1.0_3701000D/`, 24),
    );
  }
  return streams;
}

export function makeMsg(message: SampleMessage): Buffer {
  const names: Streams = {
    '__nameid_version1.0/__substg1.0_00020102': Buffer.alloc(16),
    '__nameid_version1.0/__substg1.0_00030102': Buffer.alloc(8),
    '__nameid_version1.0/__substg1.0_00040102': Buffer.alloc(4),
  };
  return makeCompound({ ...names, ...messageStreams(message, '', 32) }, '0b0d020000000000c000000000000046');
}

export function makeSampleMsg(): Buffer {
  return makeMsg({
    subject: 'Quarterly figures',
    body: 'The figures are attached. Password: figures24',
    html: '<p>The figures are <a href="http://evil-host.test/">https://intranet.example.com/</a></p>',
    headers:
      'From: Alice Sample <alice@example.com>\r\nReply-To: <collect@other-domain.test>\r\nReturn-Path: <alice@example.com>\r\n',
    attachments: [
      { name: 'figures.xls.js', content: Buffer.from('WScript.Echo("sample")') },
      { name: 'long.txt', content: Buffer.alloc(6000, 0x41) },
    ],
    inner: {
      subject: 'Forwarded',
      body: 'Inner body http://inner.example.com/',
      attachments: [{ name: 'inner.txt', content: Buffer.from('inner') }],
    },
    extra: { '__substg1.0_851F001F': Buffer.from('\\\\share.example.com\\sound.wav', 'utf16le') },
  });
}
