import type { ServerResponse } from 'node:http';

/** Writes as fast as the client reads. One that does not read any more is left. */
export function makeWriter(response: ServerResponse, stalledMs: number): (bytes: Buffer) => Promise<boolean> {
  return async (bytes) => {
    if (response.destroyed || response.writableEnded) return false;
    if (response.write(bytes)) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), stalledMs);
    const onDrain = (): void => resolve(true);
    const onClose = (): void => resolve(false);
    response.once('drain', onDrain);
    response.once('close', onClose);
    const hasRoom = await promise;
    clearTimeout(timer);
    response.off('drain', onDrain);
    response.off('close', onClose);
    if (!hasRoom) response.destroy();
    return hasRoom;
  };
}

/** When everything has been read by the client, or the client has gone. One that does not read any more is left. */
export async function untilRead(response: ServerResponse, stalledMs: number): Promise<void> {
  if (response.writableFinished || response.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => response.destroy(), stalledMs);
  response.once('close', resolve);
  response.once('finish', resolve);
  await promise;
  clearTimeout(timer);
}
