import { HostError } from '../../base/errors.ts';

/** A wait with a limit. The work itself is not ended by it; what it brings too late is handed to `late`. */
export async function within<Value>(
  ms: number,
  what: string,
  work: Promise<Value>,
  late: (value: Value) => void = () => undefined,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new HostError(`${what}: no answer within ${ms / 1000} s`));
    }, ms);
  });
  work.then((value) => (isLate ? late(value) : undefined)).catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
