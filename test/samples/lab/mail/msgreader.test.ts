import MsgReader from '@kenjiuno/msgreader';
import { expect, it } from 'vitest';
import { mail } from '../../../../src/instruments/lab/analysers/mail/mail.ts';
import { analyseSample } from '../office/analyse-sample.ts';
import { makeSampleMsg } from './make-msg.ts';

/** The same message, and the one taken out of it, read by another library. */

type ReaderClass = typeof MsgReader.default;

function read(bytes: Uint8Array) {
  // The package is CommonJS: its class is one level down.
  const Reader = ((MsgReader as { default?: unknown }).default ?? MsgReader) as ReaderClass;
  const reader = new Reader(Uint8Array.from(bytes).buffer);
  const fields = reader.getFileData();
  const attachments = (fields.attachments ?? []).filter(({ innerMsgContent }) => !innerMsgContent);
  return {
    fields,
    attachments: attachments.map((one) => [one.fileName, Buffer.from(reader.getAttachment(one).content).toString()]),
  };
}

it('agrees with another reader', async () => {
  const result = await analyseSample(mail, makeSampleMsg());
  const theirs = read(makeSampleMsg());
  expect(result.facts).toMatchObject({ subject: theirs.fields.subject, message_class: theirs.fields.messageClass });
  expect(result.facts.from).toBe(`${theirs.fields.senderName} <${theirs.fields.senderEmail}>`);
  const ours = result.children
    .filter(({ how }) => how === 'attachment')
    .map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]);
  expect(ours).toEqual(theirs.attachments);
  const inner = result.children.find(({ how }) => how === 'attached message');
  expect(read(inner?.bytes ?? new Uint8Array()).fields).toMatchObject({
    subject: 'Forwarded',
    body: 'Inner body http://inner.example.com/',
  });
});
