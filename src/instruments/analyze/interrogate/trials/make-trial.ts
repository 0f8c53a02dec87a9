import { createRandom } from '../../../../engine/decoy/index.ts';
import type { Knowledge, Position, World } from '../arguments/index.ts';
import { fillText, fillValue, type Names } from '../arguments/template.ts';
import { honestTexts } from '../arguments/text-value.ts';
import type { OracleSeed, PayloadSeed } from './class-file.ts';
import type { Oracle } from './contract.ts';
import { type Marks, makeMarks, secretsOf } from './marks.ts';
import { isSilent } from './silence.ts';

/** One payload for one position of one world. Null when the world has nothing that would make it mean something. */

export interface Loaded {
  readonly value: unknown;
  readonly baseline?: unknown;
  readonly followUp?: unknown;
  readonly oracles: readonly Oracle[];
}

const longestHonest = 200;

/** The value that an honest call has there, so that the payload gets as far as an honest one does. */
export function honestTextAt(position: Position, tool: string, world: World, knowledge: Knowledge): string {
  const { name, description, view } = position;
  const place = { name, description, tool, view, root: view };
  const random = createRandom(position.pointer);
  const [text = 'hello'] = honestTexts(place, { world, meanings: knowledge.meanings, random });
  return text.slice(0, longestHonest);
}

function fillOracle(seed: OracleSeed, marks: Marks, payload: PayloadSeed, world: World): Oracle | null {
  const { names, product } = marks;
  const markerFile = marks.files[payload.marker ?? 'product'];
  if (seed.kind === 'file-marker') return fillRecord({ path: markerFile, ...seed }, names);
  if (seed.kind === 'exec-marker') {
    // A program whose own name is the marker needs no argument.
    const argument = seed.argument ?? (seed.program.includes('[[') ? undefined : markerFile);
    return fillRecord({ ...seed, ...(argument === undefined ? {} : { argument }) }, names);
  }
  if (seed.kind === 'canary-in-result') {
    const canary = secretsOf(world)[seed.secret];
    return canary === undefined ? null : { ...seed, canary };
  }
  if (seed.kind === 'sql-altered' || seed.kind === 'computed') return { kind: seed.kind, product };
  if (seed.kind !== 'request-to') return fillRecord(seed, names);
  const { port, ...rest } = seed;
  const filled = fillRecord<Oracle & { kind: 'request-to' }>(rest, names);
  const number = port === undefined ? undefined : fillText(port, names);
  if (filled === null || number === null) return null;
  return number === undefined ? filled : { ...filled, port: Number(number) };
}

function fillRecord<Filled extends Oracle>(seed: object, names: Names): Filled | null {
  return (fillValue(seed, names) as Filled | undefined) ?? null;
}

function payloadValue(payload: PayloadSeed, names: Names): unknown {
  if (payload.repeat !== undefined) return payload.repeat;
  const value = fillValue(payload.value, names);
  if (payload.encode === 'base64' && typeof value === 'string') return Buffer.from(value).toString('base64');
  return value;
}

export interface Ground {
  readonly world: World;
  /** See `sharedNames`. */
  readonly names: Names;
  readonly honest: string;
}

export function loadPayload(payload: PayloadSeed, seed: string, { world, names, honest }: Ground): Loaded | null {
  const marks = makeMarks(seed, world, names, honest);
  if (payload.needs?.some((need) => !Object.hasOwn(marks.names, need))) return null;
  const value = payloadValue(payload, marks.names);
  const followUp = payload.followUp === undefined ? undefined : fillText(payload.followUp, marks.names);
  if (value === undefined || followUp === null) return null;
  const oracles = payload.oracles
    .map((oracle) => fillOracle(oracle, marks, payload, world))
    .filter((oracle) => oracle !== null)
    .filter((oracle) => isSilent(oracle, [value, followUp]));
  if (oracles.length === 0) return null;
  return {
    value,
    oracles,
    ...(payload.baseline === undefined ? {} : { baseline: payload.baseline }),
    ...(followUp === undefined ? {} : { followUp }),
  };
}
