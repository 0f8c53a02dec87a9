import type { IndicatorKind } from '../kind.ts';

/** Read with the network shares, whose form it has. */
export const namedPipe: IndicatorKind = {
  type: 'named_pipe',
  title: 'named pipe',
  misp: { type: 'named pipe', category: 'Artifacts dropped' },
  readers: [],
};
