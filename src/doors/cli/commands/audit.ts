import { z } from 'zod';
import { ledgerVerdicts } from '../../../engine/ledger/contract.ts';
import { type CommandDefinition, defineCommand } from '../definition.ts';

const json = { flags: '--json', description: 'as JSON' };
const ledger = { flags: '--ledger <folder>', description: 'the ledger; default: the one in the home of Hotcell' };
const key = {
  flags: '--key <key>',
  description: 'a public key that is trusted, or a file of them; default: those in the ledger itself',
  isRepeatable: true,
};
const place = { ledger: z.string().optional() };
const asJson = { ...place, json: z.boolean().default(false) };
const keys = { key: z.array(z.string()).default([]) };

const log = defineCommand({
  name: 'log',
  summary: 'what was decided, by which rule',
  options: [
    { flags: '--since <time>', description: 'a date, or how long ago: 90m, 2h, 7d' },
    { flags: '--server <name>', description: 'only about this server' },
    { flags: '--verdict <verdict>', description: `only ${ledgerVerdicts.join(', ')}` },
    { flags: '--action <action>', description: 'only this, such as tool.call' },
    { flags: '--session <id>', description: 'only one run of one program' },
    { flags: '--limit <count>', description: 'the newest so many; default 100' },
    { flags: '--follow', description: 'go on with what comes' },
    ledger,
    json,
  ],
  examples: [
    { line: 'hotcell audit log --since 2h --verdict refused', says: 'what was refused' },
    { line: 'hotcell audit log --server files --follow', says: 'one server, live' },
  ],
  input: z.object({
    ...asJson,
    since: z.string().optional(),
    server: z.string().max(1000).optional(),
    verdict: z.enum(ledgerVerdicts).optional(),
    action: z.string().max(200).optional(),
    session: z.string().max(200).optional(),
    limit: z.coerce.number().int().min(1).max(1_000_000).default(100),
    follow: z.boolean().default(false),
  }),
  async run(wishes, _, door) {
    const { showLog } = await import('../audit/log.ts');
    return showLog(wishes, door);
  },
});

const verify = defineCommand({
  name: 'verify',
  summary: 'whether anybody has changed the ledger, and where first',
  description:
    'Reads the whole ledger and its checkpoints, without a network and without any secret key. Names the first bad entry.',
  options: [
    { flags: '--from <file>', description: 'a checkpoint that was kept elsewhere: the ledger has to continue it' },
    key,
    ledger,
    json,
  ],
  examples: [
    { line: 'hotcell audit verify', says: 'with the keys in the ledger' },
    { line: 'hotcell audit verify --key keys.txt --from last.checkpoint', says: 'with what was kept elsewhere' },
  ],
  exits: [
    { code: '0', when: 'nothing was changed' },
    { code: '1', when: 'something was: the first bad entry is named' },
  ],
  input: z.object({ ...asJson, ...keys, from: z.string().optional() }),
  async run(wishes, _, door) {
    const { verify: run } = await import('../audit/verify.ts');
    return run(wishes, door);
  },
});

const prove = defineCommand({
  name: 'prove',
  summary: 'a proof that one entry is in the ledger, for somebody who does not have it',
  arguments: [{ name: '<sequence>', description: 'the number of the entry' }],
  options: [ledger],
  examples: [{ line: 'hotcell audit prove 41 > entry-41.json', says: 'the entry, its path and a checkpoint' }],
  input: z.object(place),
  async run(wishes, words, door) {
    const { prove: run } = await import('../audit/proofs.ts');
    return run(wishes, words, door);
  },
});

const consistency = defineCommand({
  name: 'consistency',
  summary: 'a proof that the ledger of a later time continues the one of an earlier time',
  arguments: [
    { name: '<old>', description: 'a number of entries, or a file with a checkpoint' },
    { name: '<new>', description: 'the same' },
  ],
  options: [ledger],
  examples: [{ line: 'hotcell audit consistency monday.checkpoint friday.checkpoint', says: 'nothing was rewritten' }],
  input: z.object(place),
  async run(wishes, words, door) {
    const { consistency: run } = await import('../audit/proofs.ts');
    return run(wishes, words, door);
  },
});

const check = defineCommand({
  name: 'check',
  summary: 'whether a proof holds; the ledger is not needed',
  arguments: [{ name: '<proof>', description: 'what prove or consistency printed' }],
  options: [key, ledger],
  examples: [{ line: 'hotcell audit check entry-41.json --key keys.txt', says: 'by somebody else' }],
  exits: [
    { code: '0', when: 'it holds' },
    { code: '1', when: 'it does not' },
  ],
  input: z.object({ ...place, ...keys }),
  async run(wishes, words, door) {
    const { checkProof } = await import('../audit/proofs.ts');
    return checkProof(wishes, words, door);
  },
});

const fsck = defineCommand({
  name: 'fsck',
  summary: 'whether the files are whole after a crash, and what can be mended',
  options: [{ flags: '--repair', description: 'mend what can be mended; nothing is thrown away' }, ledger, json],
  examples: [{ line: 'hotcell audit fsck', says: 'only look' }],
  exits: [
    { code: '0', when: 'all is whole' },
    { code: '1', when: 'something is not' },
  ],
  input: z.object({ ...asJson, repair: z.boolean().default(false) }),
  async run(wishes, _, door) {
    const { fsck: run } = await import('../audit/files.ts');
    return run(wishes, door);
  },
});

const exportTo = defineCommand({
  name: 'export',
  summary: 'a copy for somebody who is to verify it: entries, checkpoints and public keys',
  arguments: [{ name: '<folder>', description: 'a folder that is not there yet, or empty' }],
  options: [ledger, json],
  examples: [{ line: 'hotcell audit export for-the-auditor', says: 'verify it there with --ledger' }],
  input: z.object(asJson),
  async run(wishes, words, door) {
    const { exportTo: run } = await import('../audit/files.ts');
    return run(wishes, words, door);
  },
});

const checkpoint = defineCommand({
  name: 'checkpoint',
  summary: 'sign the ledger as it is now, and print that for keeping elsewhere',
  options: [ledger],
  examples: [{ line: 'hotcell audit checkpoint > last.checkpoint', says: 'for audit verify --from' }],
  input: z.object(place),
  async run(wishes, _, door) {
    const { makeCheckpoint } = await import('../audit/files.ts');
    return makeCheckpoint(wishes, door);
  },
});

const rotate = defineCommand({
  name: 'rotate',
  summary: 'go over to a new key; both sign for a while',
  options: [{ flags: '--overlap <time>', description: 'how long both sign; default 7d' }, ledger, json],
  examples: [{ line: 'hotcell audit keys rotate --overlap 30d', says: 'who knows the old key follows to the new one' }],
  input: z.object({ ...asJson, overlap: z.string().default('7d') }),
  async run(wishes, _, door) {
    const { rotate: run } = await import('../audit/files.ts');
    return run(wishes, door);
  },
});

const show = defineCommand({
  name: 'show',
  summary: 'the public keys, the first one first',
  options: [ledger],
  examples: [{ line: 'hotcell audit keys show > keys.txt', says: 'keep them where the ledger is not' }],
  input: z.object(place),
  async run(wishes, _, door) {
    const { showKeys } = await import('../audit/files.ts');
    return showKeys(wishes, door);
  },
});

const ledgerKeys: CommandDefinition = {
  name: 'keys',
  summary: 'the keys that sign checkpoints',
  examples: [{ line: 'hotcell audit keys show', says: 'the public ones' }],
  subcommands: [show, rotate],
};

export const audit: CommandDefinition = {
  name: 'audit',
  summary: 'the ledger of every decision: read it, verify it, prove an entry',
  description:
    'Every decision of every instrument is one line of the ledger: hashed into a tree, with signed checkpoints. Whoever changes, removes or adds a line is found out.',
  examples: [
    { line: 'hotcell audit log --since 1d', says: 'what was decided' },
    { line: 'hotcell audit verify', says: 'whether somebody has changed it' },
  ],
  subcommands: [log, verify, prove, consistency, check, fsck, exportTo, checkpoint, ledgerKeys],
};
