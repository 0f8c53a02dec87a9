import { constants } from 'node:os';

/** The signals that ask us to end. Until the work is put away they are only noted; a box is never left open. */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndingSignal = (typeof ending)[number];

export interface Interrupts {
  /** Aborted by the first of them. */
  readonly signal: AbortSignal;
  /** Aborted by the second: whoever asks twice does not want to wait. */
  readonly insistence: AbortSignal;
  /** Which one it was. */
  received(): EndingSignal | null;
}

/** The exit code of a shell for a program that a signal ended. */
export function exitCodeOf(signal: string): number {
  const number: number | undefined = (constants.signals as Readonly<Record<string, number>>)[signal];
  return 128 + (number ?? 0);
}

/** Runs `work` while the ending signals are held back; it has to look at them and return soon after. */
export async function withInterrupts<T>(work: (interrupts: Interrupts) => Promise<T>): Promise<T> {
  const [asked, insisted] = [new AbortController(), new AbortController()];
  let first: EndingSignal | null = null;
  const note = (signal: NodeJS.Signals): void => {
    first ??= ending.find((known) => known === signal) ?? null;
    if (asked.signal.aborted) insisted.abort();
    asked.abort();
  };
  for (const signal of ending) process.on(signal, note);
  try {
    return await work({ signal: asked.signal, insistence: insisted.signal, received: () => first });
  } finally {
    for (const signal of ending) process.off(signal, note);
  }
}
