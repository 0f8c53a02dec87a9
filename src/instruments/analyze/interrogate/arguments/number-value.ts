import type { JsonObject } from '../../../../base/json-shape.ts';
import { fits, offeredValues } from './fits.ts';
import { wordsOf } from './meaning.ts';

/** A number within its range that means something: a port is a port, a limit is small. */

export interface NumberPlace {
  readonly view: JsonObject;
  readonly isInteger: boolean;
  readonly name: string;
  readonly turn: number;
  readonly root: unknown;
}

const byName: readonly (readonly [names: RegExp, value: number])[] = [
  [/(^|-)port$/, 8080],
  [/timeout|millis|delay|(^|-)ms$/, 3000],
  [/limit|count|max|size|per-page|top|num/, 5],
  [/(^|-)(page|line|start-line|depth|level)$/, 1],
  [/offset|skip|index|start/, 0],
  [/lat/, 52.5],
  [/lon|lng/, 13.4],
  [/year/, 2025],
  [/month|day/, 6],
];

function lowest({ minimum, exclusiveMinimum }: JsonObject): number | undefined {
  if (typeof exclusiveMinimum === 'number') return Math.max(exclusiveMinimum, numeric(minimum) ?? exclusiveMinimum);
  return numeric(minimum);
}

function highest({ maximum, exclusiveMaximum }: JsonObject): number | undefined {
  if (typeof exclusiveMaximum === 'number') return Math.min(exclusiveMaximum, numeric(maximum) ?? exclusiveMaximum);
  return numeric(maximum);
}

function numeric(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Numbers around the edges and in the middle of the range; one of them fits unless the range is empty. */
function candidates({ view, isInteger }: NumberPlace): readonly number[] {
  const low = lowest(view);
  const high = highest(view);
  const step = typeof view.multipleOf === 'number' && view.multipleOf > 0 ? view.multipleOf : undefined;
  const middle = low !== undefined && high !== undefined ? [(low + high) / 2] : [];
  const edges = [low, high].filter((edge) => edge !== undefined).flatMap((edge) => [edge, edge + 1, edge - 1]);
  const around = [...middle, ...edges];
  const whole = around.flatMap((value) => [Math.floor(value), Math.ceil(value)]);
  const unit = step ?? 1;
  const steps = around.flatMap((value) => [
    Math.ceil(value / unit) * unit,
    Math.floor(value / unit) * unit,
    (Math.floor(value / unit) + 1) * unit,
  ]);
  return [...(isInteger ? [] : middle), ...whole, ...steps, ...(isInteger ? [] : around)];
}

export function numberValue(place: NumberPlace): number {
  const { view, isInteger, name, turn, root } = place;
  const typed = { ...view, type: isInteger ? 'integer' : 'number' };
  const words = wordsOf(name);
  const named = byName.find(([names]) => names.test(words))?.[1];
  const offered = offeredValues(typed, root).filter((value) => typeof value === 'number');
  const step = typeof view.multipleOf === 'number' && view.multipleOf > 0 ? view.multipleOf : 1;
  const plain = [...offered, ...(named === undefined ? [] : [named]), 3, 1, 10, 0, step, 2 * step];
  const all = [...plain.slice(turn), ...plain.map((value) => value + turn), ...plain, ...candidates(place)];
  return all.find((value) => fits(value, typed, root)) ?? plain[0] ?? 0;
}
