import type { Lab } from '../../instruments/lab/lab.ts';
import type { LabOptions } from '../../instruments/lab/options.ts';
import { openShared, type Shared } from './open-shared.ts';

export type ToolLab = Shared<Lab>;

export function openToolLab(options: LabOptions | null): ToolLab {
  const make = async (wanted: LabOptions): Promise<Lab> =>
    (await import('../../instruments/lab/lab.ts')).Lab.open(wanted);
  return openShared('lab', options === null ? null : () => make(options));
}
