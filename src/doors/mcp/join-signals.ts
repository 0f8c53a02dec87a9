export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the sources: one of them lives as long as the process. */
  release(): void;
}

/** Aborted with the first of them. Unlike AbortSignal.any it leaves nothing behind on sources that live on. */
export function joinSignals(sources: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const joined = new AbortController();
  const known = sources.filter((source) => source !== undefined);
  const abort = (event: Event): void => joined.abort(event.target instanceof AbortSignal ? event.target.reason : null);
  for (const source of known) {
    if (source.aborted) joined.abort(source.reason);
    source.addEventListener('abort', abort, { once: true });
  }
  const release = (): void => {
    for (const source of known) source.removeEventListener('abort', abort);
  };
  return { signal: joined.signal, release };
}
