/** What several session ids of one server tell about how they are made. */

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
function variedBits(ids: readonly string[]): number {
  const length = Math.min(...ids.map((id) => id.length));
  const alphabet = new Set(ids.join(''));
  let varied = 0;
  for (let at = 0; at < length; at += 1) {
    if (new Set(ids.map((id) => id[at])).size > 1) varied += 1;
  }
  return varied * bitsPerCharacter(alphabet);
}

/** What speaks against them, or null. */
export function judgeSessionIds(given: readonly string[]): string | null {
  const ids = given.map((id) => id.slice(0, 1024));
  if (ids.length === 0) return null;
  if (new Set(ids).size < ids.length) return 'two sessions were given the same id';
  const least = Math.min(...ids.map((id) => id.length));
  if (least < shortest) return `an id has ${least} characters only`;
  if (ids.every((id) => timedUuid.test(id))) {
    return 'the ids are UUIDs of a clock and an address (version 1 or 6), not of random numbers';
  }
  const bits = variedBits(ids);
  if (ids.length < 3 || bits >= leastBits) return null;
  return `of ${ids.length} ids only characters with ${Math.round(bits)} bits at most were different`;
}

/** The first characters and the length: enough to recognise it. */
export function maskId(id: string): string {
  return `${id.slice(0, 4).replace(/[^\x21-\x7e]/g, '?')}… (${id.length} characters)`;
}
