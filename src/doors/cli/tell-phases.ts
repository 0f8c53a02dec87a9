import type { Door } from './definition.ts';

/** Phases on stderr, each once. */
export function tellPhases(
  { stderr, settings }: Door,
  paint: (line: string) => string = (line) => line,
): (phase: string) => void {
  let before = '';
  return (phase) => {
    if (settings.values.logLevel === 'quiet' || phase === before) return;
    before = phase;
    stderr.write(`${paint(`hotcell: ${phase}`)}\n`);
  };
}
