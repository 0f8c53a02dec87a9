import { isCompound, startsWith, u16 } from '../office/bytes.ts';
import type { Collector } from '../office/collector.ts';
import { riskyNames } from '../office/kinds-of-findings.ts';
import type { MailAttachment } from './message.ts';

/** Names of attachments that pretend, and what can start when they are opened. */

const riskyKind = {
  rule: 'mail.attachment.executable',
  title: 'An attachment has the name of a program, script, shortcut or disk image',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Developers and support people do send scripts and installers by mail.',
  attack: ['T1566.001', 'T1204.002'],
} as const;

const doubleKind = {
  rule: 'mail.attachment.double-extension',
  title: 'The name of an attachment ends twice, first as a document and then as something that starts',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Backups and exports add a second ending, rarely one that starts.',
  attack: ['T1036.007'],
} as const;

const turnedKind = {
  rule: 'mail.attachment.text-direction',
  title: 'The name of an attachment turns the direction of its text',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Names in Arabic or Hebrew may contain marks of direction.',
  attack: ['T1036.002'],
} as const;

const spacesKind = {
  rule: 'mail.attachment.long-blanks',
  title: 'The name of an attachment hides its ending behind many blanks',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Tables that are exported with padded names do this by mistake.',
  attack: ['T1036.007'],
} as const;

const macroKind = {
  rule: 'mail.attachment.macro-document',
  title: 'An attachment is of a kind of document that can hold macros',
  severity: 'low',
  evidenceType: 'structural',
  benign: 'Old and macro-enabled documents are sent between offices every day.',
  attack: ['T1566.001'],
} as const;

const referenceKind = {
  rule: 'mail.attachment.reference',
  title: 'An attachment is not in the message but at another place',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Mail programs share large files by a link to a drive.',
  attack: ['T1566.002'],
} as const;

const documentEnd = '(?:pdf|docx?|xlsx?|pptx?|txt|rtf|jpe?g|png|gif|html?|mp[34]|csv|zip)';
const doubleEnd = new RegExp(`\\.${documentEnd}[\\s._-]{0,200}\\.[a-z0-9]{2,5}\\s*$`, 'i');
const macroName =
  /\.(?:docm|dotm|xlsm|xltm|xlam|xlsb|pptm|potm|ppam|ppsm|doc|dot|xls|xlt|xla|ppt|pps|slk|iqy|mht|pub|wll)$/i;
const turned = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/;

function shownName(name: string): string {
  return name.replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}

/** An archive of which the content needs a password, or an encrypted document. */
export function isEncryptedContainer({ bytes, name }: MailAttachment): boolean {
  if (startsWith(bytes, [0x50, 0x4b, 3, 4])) return (u16(bytes, 6) & 1) === 1;
  const head = Buffer.from(bytes.subarray(0, 64 * 1024)).toString('latin1');
  if (isCompound(bytes)) return head.includes('E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e');
  // The headers of these formats may be encrypted as a whole: their presence is as much as can be said.
  return (
    startsWith(bytes, [0x37, 0x7a, 0xbc, 0xaf]) ||
    head.startsWith('Rar!') ||
    (/^%PDF/.test(head) && head.includes('/Encrypt')) ||
    /\.(?:7z|rar)$/i.test(name)
  );
}

export function examineAttachments(collector: Collector, attachments: readonly MailAttachment[]): void {
  for (const attachment of attachments) {
    const { name } = attachment;
    const evidence = { where: 'attachment', text: shownName(name) };
    if (riskyNames.test(name)) collector.finding(riskyKind, evidence);
    if (riskyNames.test(name) && doubleEnd.test(name)) collector.finding(doubleKind, evidence);
    if (turned.test(name)) collector.finding(turnedKind, evidence);
    if (/[\s\u00a0]{8,}\S{0,10}$/.test(name.slice(-400))) collector.finding(spacesKind, evidence);
    if (macroName.test(name)) collector.finding(macroKind, evidence);
    if (attachment.reference !== undefined) {
      collector.finding(referenceKind, { where: `attachment ${shownName(name)}`, text: attachment.reference });
      collector.text('place of an attachment', attachment.reference);
    }
    collector.child(
      name || (attachment.isMessage ? 'message.eml' : 'attachment'),
      attachment.bytes,
      attachment.isMessage ? 'attached message' : attachment.isInline ? 'inline attachment' : 'attachment',
    );
  }
  collector.list(
    'attachments',
    attachments.map(({ name, mimeType, bytes, isInline, isMessage }) => ({
      name: shownName(name),
      mime_type: mimeType,
      bytes: bytes.length,
      is_inline: isInline,
      is_message: isMessage,
    })),
    60,
  );
}
