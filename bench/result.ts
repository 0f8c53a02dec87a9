/** One measured figure and the bar it is held against. */
export interface Result {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar?: number;
  /** How it came about, for the reader. */
  readonly detail: string;
}

export function isMet(result: Result): boolean {
  return result.bar === undefined || result.value <= result.bar;
}

export function showResult(result: Result): string {
  const mark = result.bar === undefined ? '      ' : isMet(result) ? 'met   ' : 'MISSED';
  const value = `${result.value.toFixed(2)} ${result.unit}`.padStart(14);
  const bar = (result.bar === undefined ? '' : `bar ${result.bar} ${result.unit}`).padEnd(12);
  return `${mark} ${result.name.padEnd(34)} ${value}  ${bar} ${result.detail}`;
}
