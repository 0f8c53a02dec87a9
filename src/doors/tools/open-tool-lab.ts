import { HostError } from '../../base/errors.ts';
import type { Lab } from '../../instruments/lab/lab.ts';
import type { LabOptions } from '../../instruments/lab/options.ts';

/** One lab for everybody whom a door serves: opened by the first call, shared by all, closed with the door. */

export interface ToolLab extends AsyncDisposable {
  readonly open: () => Promise<Lab>;
  close(): Promise<void>;
}

export function openToolLab(options: LabOptions | null): ToolLab {
  let opening: Promise<Lab> | null = null;
  let isClosed = false;
  const open = async (): Promise<Lab> => {
    if (options === null || isClosed) throw new HostError('no lab is open here');
    opening ??= import('../../instruments/lab/lab.ts').then((module) => module.Lab.open(options));
    try {
      return await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    const opened = await opening?.catch(() => null);
    opening = null;
    await opened?.close();
  };
  return { open, close, [Symbol.asyncDispose]: close };
}
