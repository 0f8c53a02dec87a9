import { crc32 } from 'node:zlib';

/** Messages as they travel. */

export interface SamplePart {
  readonly type: string;
  readonly body: Buffer | string;
  readonly name?: string;
  readonly encoding?: 'base64' | '7bit';
}

function part({ type, body, name, encoding = 'base64' }: SamplePart): string {
  const bytes = Buffer.from(body);
  const text =
    encoding === 'base64' ? (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n') : bytes.toString('utf8');
  // A name with letters beyond ASCII is written as an encoded word.
  const shown =
    name === undefined
      ? ''
      : /^[\x20-\x7e]*$/.test(name)
        ? name
        : `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`;
  return [
    `Content-Type: ${type}`,
    `Content-Transfer-Encoding: ${encoding}`,
    ...(name === undefined ? [] : [`Content-Disposition: attachment; filename="${shown}"`]),
    '',
    text,
  ].join('\r\n');
}

export function makeEml(headers: readonly string[], parts: readonly SamplePart[]): Buffer {
  // A nested message must not end the outer one.
  const boundary = `sample-${crc32(JSON.stringify(headers)).toString(16)}-${parts.length}`;
  return Buffer.from(
    [
      ...headers,
      'MIME-Version: 1.0',
      `Content-Type: multipart/mixed; boundary="${boundary}"`,
      '',
      ...parts.map((one) => `--${boundary}\r\n${part(one)}`),
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  );
}

export const plainHeaders: readonly string[] = [
  'Received: from mail.example.com (mail.example.com [192.0.2.1]) by mx.example.org; Mon, 6 May 2024 07:08:10 +0000',
  'From: Alice <alice@example.com>',
  'To: Bob <bob@example.org>',
  'Subject: Minutes of the meeting',
  'Date: Mon, 6 May 2024 07:08:09 +0000',
  'Message-ID: <plain@example.com>',
];

export function makePlainEml(): Buffer {
  return makeEml(plainHeaders, [{ type: 'text/plain; charset=utf-8', body: 'Hello Bob,\r\nsee you.\r\n' }]);
}

const lureHeaders: readonly string[] = [
  'Return-Path: <bounce@bulk.example.net>',
  'Received: from relay.example.net (relay.example.net [198.51.100.7]) by mx.example.org; Mon, 6 May 2024 07:08:10 +0000',
  'Authentication-Results: mx.example.org; spf=fail smtp.mailfrom=bulk.example.net; dkim=none; dmarc=fail header.from=example.com',
  'From: "support@bank.example" <alice@example.com>',
  'Reply-To: <collect@other-domain.test>',
  'To: Bob <bob@example.org>',
  'Subject: =?utf-8?Q?Invoice_=E2=84=96_17?=',
  'Date: Mon, 29 Apr 2024 07:08:09 +0000',
  'Message-ID: <lure@example.com>',
];

/** A zip with the mark of encryption: enough to be recognised, nothing in it. */
export function makeLockedZip(): Buffer {
  const head = Buffer.alloc(34);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(1, 6);
  head.writeUInt16LE(4, 26);
  head.write('a.js', 30, 'latin1');
  return Buffer.concat([head, Buffer.alloc(20, 7)]);
}

export function makeLureEml(): Buffer {
  const html =
    '<html><body>The password is: <b>s3cret!9</b> <a href="http://login.evil-host.test/a?x=1&amp;y=2">https://bank.example.com/login</a><form action="http://collect.test/post"></form><img src="http://pixel.test/a.png"></body></html>';
  return makeEml(lureHeaders, [
    { type: 'text/html; charset=utf-8', body: html },
    { type: 'application/octet-stream', body: 'MZ-sample', name: 'invoice.pdf.exe' },
    { type: 'application/octet-stream', body: 'sample', name: 'report\u202Efdp.scr' },
    { type: 'application/octet-stream', body: 'sample', name: `photo.jpg${' '.repeat(60)}.js` },
    { type: 'application/zip', body: makeLockedZip(), name: 'invoice.zip' },
  ]);
}

export function makeNestedEml(): Buffer {
  return makeEml(plainHeaders, [
    { type: 'text/plain', body: 'see the message below' },
    { type: 'message/rfc822', body: makeLureEml(), encoding: '7bit' },
  ]);
}
