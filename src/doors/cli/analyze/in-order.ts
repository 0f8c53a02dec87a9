/**
 * Works on several things at once and hands over what came out in the order in which they were given, so that what is
 * printed of one never stands between the lines of another.
 */
export async function inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
  deliver: (result: R, index: number) => Promise<void>,
): Promise<void> {
  const done = new Map<number, R>();
  let next = 0;
  let due = 0;
  let delivering: Promise<void> = Promise.resolve();
  const deliverDue = async (): Promise<void> => {
    while (done.has(due)) {
      const index = due++;
      const result = done.get(index) as R;
      done.delete(index);
      await deliver(result, index);
    }
  };
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      done.set(index, await work(items[index] as T, index));
      delivering = delivering.then(deliverDue);
      await delivering;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, worker));
}
