import { HostError } from '../../base/errors.ts';

/** One instrument for everybody whom a door serves: opened by the first call, shared by all, closed with the door. */
export interface Shared<Instrument> extends AsyncDisposable {
  readonly open: () => Promise<Instrument>;
  close(): Promise<void>;
}

/** `make` is null where the door does not serve that instrument. */
export function openShared<Instrument extends { close(): Promise<void> }>(
  name: string,
  make: (() => Promise<Instrument>) | null,
): Shared<Instrument> {
  let opening: Promise<Instrument> | null = null;
  let isClosed = false;
  const open = async (): Promise<Instrument> => {
    if (make === null || isClosed) throw new HostError(`no ${name} is open here`);
    opening ??= make();
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
