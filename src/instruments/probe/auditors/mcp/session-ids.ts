/** What several session ids of one server tell about how they are made. */

export interface IdJudgement {
  readonly because: string;
  readonly isCertain: boolean;
}

const leastBits = 64;
const shortest = 16;
const timedUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[16][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function bitsPerCharacter(seen: ReadonlySet<string>): number {
  const all = [...seen].join('');
  if (/^\d*$/.test(all)) return Math.log2(10);
  if (/^[0-9a-f]*$/i.test(all)) return 4;
  return 6;
}

/** An upper bound: characters that never change tell nothing, and each of the others what its alphabet can hold. */
export function variedBits(ids: readonly string[]): number {
  const length = Math.min(...ids.map((id) => id.length));
  const alphabet = new Set(ids.join(''));
  let varied = 0;
  for (let at = 0; at < length; at += 1) {
    if (new Set(ids.map((id) => id[at])).size > 1) varied += 1;
  }
  return varied * bitsPerCharacter(alphabet);
}

/** Null where nothing speaks against them. */
export function judgeSessionIds(given: readonly string[]): IdJudgement | null {
  const ids = given.map((id) => id.slice(0, 1024));
  const [first] = ids;
  if (first === undefined) return null;
  if (new Set(ids).size < ids.length) return { because: 'two sessions were given the same id', isCertain: true };
  if (ids.some((id) => id.length < shortest)) {
    return { because: `an id has ${Math.min(...ids.map((id) => id.length))} characters only`, isCertain: true };
  }
  if (ids.every((id) => timedUuid.test(id))) {
    return {
      because: 'the ids are UUIDs of a clock and an address (version 1 or 6), not of random numbers',
      isCertain: true,
    };
  }
  if (ids.length < 3) return null;
  const bits = variedBits(ids);
  if (bits >= leastBits) return null;
  return {
    because: `of ${ids.length} ids only characters with ${Math.round(bits)} bits at most were different`,
    isCertain: true,
  };
}

/** The first characters and the length: enough to recognise it. */
export function maskId(id: string): string {
  return `${id.slice(0, 4).replace(/[^\x21-\x7e]/g, '?')}… (${id.length} characters)`;
}
