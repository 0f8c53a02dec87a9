import { existsSync } from 'node:fs';
import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { defineTool } from '../define-tool.ts';
import { count, shownText } from './fields.ts';

const position = count.nullable();

export const verifyAuditLog = defineTool({
  name: 'verify_audit_log',
  title: 'Has anybody rewritten the ledger',
  description:
    'Walks through the whole ledger: every entry, the chain and the tree over them, every signed checkpoint and every hand-over of keys. Names the first bad entry. Give the public key and a checkpoint that were kept elsewhere: with the keys that lie beside the ledger alone, whoever could rewrite all of it could have signed it anew.',
  toolset: 'guard',
  input: z.strictObject({
    publicKeys: z
      .array(z.string().min(1).max(4096))
      .max(16)
      .default([])
      .describe('the only keys that are trusted, as hotcell audit keys prints them; default: those beside the ledger'),
    checkpoint: z
      .string()
      .min(1)
      .max(64 * kibibyte)
      .optional()
      .describe('a signed note that was kept elsewhere: the ledger has to be a continuation of it'),
  }),
  output: z.strictObject({
    isIntact: z.boolean(),
    trustedKeys: z.enum(['given', 'beside the ledger', 'none']),
    origin: shownText.nullable(),
    size: count,
    root: z.string().max(64),
    checkpoints: count,
    uncovered: count.describe('entries that no checkpoint vouches for yet'),
    problems: z
      .array(
        z.strictObject({
          kind: z.string().max(32),
          sequence: position,
          upTo: position,
          file: shownText.nullable(),
          offset: position,
          why: shownText,
        }),
      )
      .max(100)
      .describe('the first one first'),
    clockSteps: count.describe('entries whose clock is before that of the one before them'),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 10 * minuteMs, outputBytes: 256 * kibibyte },
  examples: [{ input: {}, says: 'with the keys that lie beside it' }],
  async handle({ publicKeys, checkpoint }, { settings, signal, out }) {
    const [{ publicKeyText, readPublicKeys, verifyLedger }, { ledgerFolder }] = await Promise.all([
      import('../../../engine/ledger/index.ts'),
      import('../../settings/index.ts'),
    ]);
    const folder = ledgerFolder(settings.values.home);
    if (!existsSync(folder)) {
      out.say('There is no ledger yet.');
      const none = { origin: null, size: 0, root: '', checkpoints: 0, uncovered: 0, problems: [], clockSteps: 0 };
      // Who has a checkpoint of it knows that there was one.
      return { isIntact: checkpoint === undefined, trustedKeys: 'none' as const, ...none };
    }
    const isGiven = publicKeys.length > 0;
    const keys = isGiven ? publicKeys.flatMap(readPublicKeys) : readPublicKeys(await publicKeyText(folder));
    const from = checkpoint === undefined ? {} : { from: checkpoint };
    const report = await verifyLedger(folder, { publicKeys: keys, signal, ...from });
    const { isIntact, origin, size, root, checkpoints, uncovered, problems, clockSteps, first } = report;
    const show = (text: string): string => forTerminal(untrusted(text));
    out.say(
      isIntact
        ? `${size} entries are as they were written, ${uncovered} of them not yet under a checkpoint.`
        : `Not as it was written: ${show(first?.why ?? 'see problems')}.`,
    );
    if (!isGiven) out.say('The keys are those beside the ledger: keep one elsewhere and give it here.');
    return {
      isIntact,
      trustedKeys: isGiven ? ('given' as const) : ('beside the ledger' as const),
      origin: origin === null ? null : show(origin),
      size,
      root,
      checkpoints,
      uncovered,
      problems: problems.slice(0, 100).map(({ kind, sequence, upTo, file, offset, why }) => ({
        kind,
        sequence,
        upTo,
        file: file === null ? null : show(file),
        offset,
        why: show(why),
      })),
      clockSteps: clockSteps.count,
    };
  },
});
