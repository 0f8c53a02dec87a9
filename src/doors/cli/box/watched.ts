import type { Policy } from '../../../base/policy-schema.ts';
import { Cell, type CompletenessReport } from '../../../engine/cell/index.ts';
import { openRunFolder } from '../../tools/runs/run-folder.ts';
import type { Door } from '../definition.ts';
import { LiveView } from '../events/live.ts';
import { closedNetworkNote, type RunPlace } from './plain.ts';
import type { BoxWishes } from './wishes.ts';

export async function openWatched(policy: Policy, wishes: BoxWishes, door: Door, isQuiet: boolean): Promise<RunPlace> {
  const { backend, runtimeFolder, dockerSocket } = door.settings.values;
  const folder = await openRunFolder(wishes.output, door, { flag: '--output' });
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
