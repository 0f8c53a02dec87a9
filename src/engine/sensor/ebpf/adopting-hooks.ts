import type { BoxHooks } from '../../box/contract.ts';

/**
 * Hooks of a sensor that show the witness every airlock before it becomes a target. Hooks without a listener stay as they
 * are: such a box has a kernel of its own, which no program in the host's looks into.
 */
export function adoptingHooks(hooks: BoxHooks, adopt: (airlock: number) => Promise<void>): BoxHooks {
  const { takeListener } = hooks;
  if (takeListener === undefined) return hooks;
  return {
    ...hooks,
    takeListener: async (listener, airlock) => {
      // The listener first: whatever happens to the witness, it is taken care of.
      await takeListener(listener, airlock);
      await adopt(airlock);
    },
  };
}
