import { describe, expect, it } from 'vitest';
import { mail } from '../../../../src/instruments/lab/analysers/mail/mail.ts';
import { analyseSample, rulesOf } from '../office/analyse-sample.ts';
import { survivesDamage } from '../office/fuzz.ts';
import { makeLureEml, makeNestedEml, makePlainEml } from './make-eml.ts';
import { makeSampleMsg } from './make-msg.ts';

describe('messages', () => {
  it('says nothing of an ordinary one', async () => {
    const result = await analyseSample(mail, makePlainEml());
    expect(result.findings).toEqual([]);
    expect(result.facts).toMatchObject({
      from: 'Alice <alice@example.com>',
      to: ['Bob <bob@example.org>'],
      subject: 'Minutes of the meeting',
      date: '2024-05-06T07:08:09.000Z',
      received: [
        {
          from: 'mail.example.com (mail.example.com [192.0.2.1])',
          by: 'mx.example.org',
          date: '2024-05-06T07:08:10.000Z',
        },
      ],
    });
    expect(result.texts).toContainEqual({ label: 'body', text: expect.stringContaining('Hello Bob') });
  });

  it('sees what a lure is made of', async () => {
    const result = await analyseSample(mail, makeLureEml());
    expect(rulesOf(result)).toEqual([
      'mail.attachment.double-extension',
      'mail.attachment.executable',
      'mail.attachment.long-blanks',
      'mail.attachment.text-direction',
      'mail.authentication-failed',
      'mail.date-skew',
      'mail.display-name',
      'mail.form',
      'mail.link-mismatch',
      'mail.password-in-body',
      'mail.sender-mismatch',
    ]);
    expect(result.facts).toMatchObject({
      subject: 'Invoice № 17',
      authentication: { spf: 'fail', dkim: 'none', dmarc: 'fail' },
      candidate_passwords: ['s3cret!9'],
      return_path: 'bounce@bulk.example.net',
      reply_to: ['collect@other-domain.test'],
    });
    expect(result.children.map(({ name }) => name)).toEqual([
      'invoice.pdf.exe',
      'report\u202efdp.scr',
      expect.stringMatching(/^photo\.jpg {60}\.js$/),
      'invoice.zip',
    ]);
  });

  it('hands a nested message over whole', async () => {
    const result = await analyseSample(mail, makeNestedEml());
    expect(result.children.map(({ name, how }) => [name, how])).toEqual([['message.eml', 'attached message']]);
    const inner = await analyseSample(mail, result.children[0]?.bytes ?? new Uint8Array());
    expect(inner.facts).toMatchObject({ subject: 'Invoice № 17' });
    expect(inner.children).toHaveLength(4);
  });

  it('reads an Outlook message and the one inside of it', async () => {
    const result = await analyseSample(mail, makeSampleMsg());
    expect(result.facts).toMatchObject({
      format: 'msg',
      message_class: 'IPM.Note',
      subject: 'Quarterly figures',
      from: 'Alice Sample <alice@example.com>',
      to: ['Bob Sample <bob@example.org>'],
      date: '2024-05-06T07:08:09.000Z',
      candidate_passwords: ['figures24'],
    });
    expect(rulesOf(result)).toEqual([
      'mail.attachment.double-extension',
      'mail.attachment.executable',
      'mail.link-mismatch',
      'mail.remote-path-property',
      'mail.sender-mismatch',
    ]);
    expect(result.children.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['figures.xls.js', 22],
      ['long.txt', 6000],
      ['Forwarded.msg', expect.any(Number)],
    ]);
    const inner = await analyseSample(mail, result.children[2]?.bytes ?? new Uint8Array());
    expect(inner.facts).toMatchObject({
      subject: 'Forwarded',
      from: 'Alice Sample <alice@example.com>',
      date: '2024-05-06T07:08:09.000Z',
    });
    expect(inner.children.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['inner.txt', 'inner'],
    ]);
    expect(inner.notes).toEqual([]);
  });
});

describe('damaged messages', () => {
  it('throw nothing', async () => {
    await survivesDamage(mail, [makePlainEml(), makeLureEml(), makeNestedEml(), makeSampleMsg()]);
  }, 3_600_000);
});
