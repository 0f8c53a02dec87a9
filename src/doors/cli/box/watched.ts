import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { Cell, type CompletenessReport } from '../../../engine/cell/index.ts';
import type { Door } from '../definition.ts';
import { LiveView } from '../events/live.ts';
import { closedNetworkNote, type RunPlace } from './plain.ts';
import type { BoxWishes } from './wishes.ts';

/** Sorts by time, and two runs in one second do not meet. */
function runName(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${process.pid}`;
}

/** A folder of its own for each run: nothing that is there already is mixed with it. */
async function openFolder(wanted: string | undefined, door: Door): Promise<string> {
  if (wanted === undefined) {
    const folder = join(door.settings.values.home, 'runs', runName(new Date()));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }
  const folder = resolve(door.caller.folder, wanted);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readdir(folder)).length === 0) return folder;
  } catch (cause) {
    throw new UsageError(`--output ${JSON.stringify(wanted)}: ${(cause as Error).message}`, { cause });
  }
  throw new UsageError(`--output ${JSON.stringify(wanted)}: the folder is not empty`, { hint: 'name a new one' });
}

export async function openWatched(policy: Policy, wishes: BoxWishes, door: Door, isQuiet: boolean): Promise<RunPlace> {
  const { backend, runtimeFolder, dockerSocket } = door.settings.values;
  const folder = await openFolder(wishes.output, door);
  const view = new LiveView(door.errorTerminal);
  const isShown = !isQuiet && !wishes.json;
  const cell = await Cell.open(policy, {
    folder,
    backend,
    runtimeFolder,
    dockerSocket,
    witness: wishes.witness,
    ...(wishes.decoys ? {} : { decoys: null }),
    onEvents: (events) => {
      if (isShown) door.stderr.write(view.show(events));
    },
  });
  let ended: Promise<CompletenessReport> | null = null;
  let report: CompletenessReport | null = null;
  return {
    spawn: (argv, options) => cell.spawn(argv, options),
    get record() {
      return cell.box.record;
    },
    finish: async () => {
      ended ??= cell.close();
      report = await ended;
      return report.isComplete;
    },
    extra: () => ({ folder, completeness: report }),
    lastWords: () =>
      `${report === null ? '' : view.end({ completeness: { is: 'known', sensors: report.sensors } })}${closedNetworkNote(policy, cell.box.record)}hotcell: kept in ${folder}\n`,
  };
}
