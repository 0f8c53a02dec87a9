import { describeError, UsageError } from '../../../base/errors.ts';
import type { FoundConfig } from '../../../targets/ingest/client-config/contract.ts';
import type { FilePlan, Rewritten, WrapOptions } from './contract.ts';
import type { Backup, Backups } from './files/backups.ts';
import { type ConfigFile, readConfigFile } from './files/read-file.ts';
import { unwrapText, wrapText } from './rewrite.ts';
import { maskText } from './show/mask.ts';
import { unifiedDiff } from './show/unified.ts';

/** What would be done to each file, before anything is done. */

export interface PlannedFile extends FilePlan {
  readonly action: 'config.protect' | 'config.undo';
  /** Only where something is to change. */
  readonly file?: ConfigFile;
  readonly after?: Buffer;
  /** Of undo: backups that have had their use, and those that are of no more use. */
  readonly restored?: readonly Backup[];
  readonly passed?: readonly Backup[];
}

type Wanted = Pick<FoundConfig, 'client' | 'path'>;
type Action = PlannedFile['action'];

const refusal = ({ client, path }: Wanted, action: Action, why: string): PlannedFile => ({
  client,
  path,
  action,
  is: 'refused',
  why,
  servers: [],
  diff: '',
});

function planned(wanted: Wanted, action: Action, file: ConfigFile, done: Rewritten): PlannedFile {
  const { client, path } = wanted;
  const { servers } = done;
  if (done.is === 'refused') return { ...refusal(wanted, action, done.why), servers };
  if (done.is === 'same') return { client, path, action, is: 'same', servers, diff: '' };
  const diff = unifiedDiff(path, maskText(path, file.text), maskText(path, done.text));
  return { client, path, action, is: 'changed', servers, diff, file, after: Buffer.from(done.text, 'utf8') };
}

/** Each file once, whatever links lead to it. */
async function planEach(
  wanted: readonly Wanted[],
  action: Action,
  plan: (one: Wanted, file: ConfigFile) => Promise<PlannedFile>,
): Promise<readonly PlannedFile[]> {
  const plans = new Map<string, PlannedFile>();
  for (const one of wanted) {
    try {
      const file = await readConfigFile(one.path);
      if (!plans.has(file.real)) plans.set(file.real, await plan(one, file));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (!plans.has(one.path)) plans.set(one.path, refusal(one, action, describeError(error)));
    }
  }
  return [...plans.values()];
}

export function planProtect(files: readonly Wanted[], options: WrapOptions): Promise<readonly PlannedFile[]> {
  const action = 'config.protect';
  return planEach(files, action, async (one, file) =>
    planned(one, action, file, wrapText(one.path, file.text, options)),
  );
}

export interface UndoOptions {
  readonly backups: Backups;
  /** Only these; all when absent. */
  readonly servers?: readonly string[];
  /** The oldest backup in the place of the file, whatever has become of it. */
  readonly isForced?: boolean;
}

/** From the file as it is, back through every change whose result it still is. */
async function goBack(file: ConfigFile, active: readonly Backup[], backups: Backups) {
  const restored: Backup[] = [];
  let [bytes, hash] = [file.bytes, file.sha256];
  for (;;) {
    const step = active.findLast((one) => one.after === hash && !restored.includes(one));
    const older = step === undefined ? null : await backups.bytesOf(step);
    if (step === undefined || older === null) return { bytes, restored };
    restored.push(step);
    [bytes, hash] = [older, step.before];
  }
}

async function planUndoOf(one: Wanted, file: ConfigFile, options: UndoOptions): Promise<PlannedFile> {
  const { backups, servers, isForced = false } = options;
  const action = 'config.undo';
  const active = (await backups.list(file.real)).filter(({ undoneAt }) => undoneAt === null);
  if (active.length === 0 && !isForced && !file.text.includes('hotcell')) {
    return { client: one.client, path: one.path, action, is: 'same', servers: [], diff: '' };
  }
  const restoredPlan = (bytes: Buffer, restored: readonly Backup[], passed: readonly Backup[]): PlannedFile => {
    const done: Rewritten = {
      is: 'changed',
      text: bytes.toString('utf8'),
      servers: unwrapText(one.path, file.text).servers,
    };
    return { ...planned(one, action, file, done), after: bytes, how: 'restored', restored, passed };
  };
  if (isForced && servers === undefined) {
    const [oldest] = active;
    const bytes = oldest === undefined ? null : await backups.bytesOf(oldest);
    if (bytes === null) return refusal(one, action, 'there is no backup of it');
    return restoredPlan(bytes, active, []);
  }
  const { bytes, restored } =
    servers === undefined ? await goBack(file, active, backups) : { bytes: file.bytes, restored: [] };
  const others = active.filter((backup) => !restored.includes(backup));
  if (restored.length > 0 && others.length === 0) return restoredPlan(bytes, restored, []);
  // Somebody else has changed the file since, or a backup is lost: what is ours is taken out of what is there.
  const text = bytes.toString('utf8');
  const done = unwrapText(one.path, text, servers === undefined ? {} : { servers });
  if (done.is === 'same' && restored.length > 0) return restoredPlan(bytes, restored, others);
  const plan = planned(one, action, file, done);
  return plan.is === 'changed'
    ? { ...plan, how: 'unwrapped', restored, passed: servers === undefined ? others : [] }
    : plan;
}

export function planUndo(files: readonly Wanted[], options: UndoOptions): Promise<readonly PlannedFile[]> {
  return planEach(files, 'config.undo', (one, file) => planUndoOf(one, file, options));
}
