import type { Analyser, AnalyserInput, AnalyserResult } from '../../contract.ts';
import { isCompound } from '../office/bytes.ts';
import { attempt, type Collector, createCollector } from '../office/collector.ts';
import { readCompoundFile } from '../office/compound/read-compound-file.ts';
import { examineAttachments, isEncryptedContainer } from './examine-attachments.ts';
import { examineBody } from './examine-body.ts';
import { examineHeaders } from './examine-headers.ts';
import type { Message } from './message.ts';
import { readEml } from './read-eml.ts';
import { readMsg } from './read-msg.ts';

const remotePathKind = {
  rule: 'mail.remote-path-property',
  title: 'A property of the message names a place on another machine',
  severity: 'high',
  evidenceType: 'structural',
  benign:
    'Reminders may have a sound on a share of the firm; Outlook asked for it without being told to (CVE-2023-23397).',
  attack: ['T1187'],
} as const;

function examine(collector: Collector, message: Message, tick: () => void): void {
  attempt(collector, 'the headers', () => examineHeaders(collector, message));
  attempt(collector, 'the attachments', () => examineAttachments(collector, message.attachments));
  attempt(collector, 'the body', () =>
    examineBody(collector, message, message.attachments.some(isEncryptedContainer), tick),
  );
}

function analyseOutlook(collector: Collector, input: AnalyserInput): void {
  const file = readCompoundFile(input.bytes, input.tick);
  if (file === null) {
    collector.note('the message ends before its header does');
    return;
  }
  const message = readMsg(file, input.tick);
  message.notes.forEach(collector.note);
  collector.fact('format', 'msg');
  collector.fact('message_class', message.messageClass);
  examine(collector, message, input.tick);
  collector.child('body.rtf', message.rtf, 'body of the message');
  for (const text of message.remotePaths) {
    collector.finding(remotePathKind, { where: 'property', text });
    collector.text('place on another machine', text);
  }
}

async function analyse(input: AnalyserInput): Promise<AnalyserResult> {
  const collector = createCollector();
  if (isCompound(input.bytes)) {
    attempt(collector, 'the message', () => analyseOutlook(collector, input));
    return collector.result();
  }
  collector.fact('format', 'eml');
  let message: Message | null = null;
  try {
    const read = await readEml(input.bytes);
    if (read.isCut) collector.note('the message has more lines or parts than are read');
    message = read;
  } catch {
    // The reader refuses what is nested too deeply or has headers without end.
    collector.note('the message could not be taken apart: its parts are nested too deeply or its headers are too long');
  }
  input.tick();
  if (message !== null) examine(collector, message, input.tick);
  return collector.result();
}

export const mail: Analyser = {
  id: 'mail',
  title: 'Messages: senders, ways, bodies, attachments',
  version: 1,
  kinds: ['eml', 'msg'],
  depth: 'quick',
  timeoutMs: 30_000,
  analyse,
};
