/**
 * Where npm would put each package: as near to the top as every dependent still finds the version it was resolved to.
 *
 *     node_modules/a                      a@1, which most ask for
 *     node_modules/b/node_modules/a       a@2, for b alone
 */

export interface LayoutEdge {
  /** The folder's name; another than the package's own where it is an alias. */
  readonly name: string;
  readonly key: string;
  readonly isPeer: boolean;
}

export interface Placed {
  /** As in `node_modules/b/node_modules/a`. */
  readonly folder: string;
  readonly key: string;
}

interface Spot {
  readonly folder: string;
  readonly key: string;
  readonly parent: Spot | null;
  readonly children: Map<string, Spot>;
  /** Names that this package found above itself: nothing of that name may come between. */
  readonly found: Set<string>;
}

function makeSpot(folder: string, key: string, parent: Spot | null): Spot {
  return { folder, key, parent, children: new Map(), found: new Set() };
}

/** The spot whose `node_modules` holds the name, looked for as node does: from here upwards. */
function findHolder(from: Spot, name: string): Spot | null {
  for (let spot: Spot | null = from; spot !== null; spot = spot.parent) if (spot.children.has(name)) return spot;
  return null;
}

/** Whether anybody at or below the spot relies on what it found above under this name. */
function isReliedOn(spot: Spot, name: string): boolean {
  const waiting = [spot];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.found.has(name)) return true;
    if (next === spot || !next.children.has(name)) waiting.push(...next.children.values());
  }
  return false;
}

/** The highest spot below the one that holds another version, and where nobody is disturbed. */
function choosePlace(from: Spot, holder: Spot | null, name: string, wants: (key: string) => boolean): Spot {
  let best = from;
  for (let spot = from.parent; spot !== null && spot !== holder; spot = spot.parent) {
    if (isReliedOn(spot, name) || wants(spot.key)) break;
    best = spot;
  }
  return best;
}

/** `edgesOf` tells what a package was resolved to; the root is asked for under the empty key. */
export function layOut(edgesOf: (key: string) => readonly LayoutEdge[], mostPlaces: number): readonly Placed[] {
  const root = makeSpot('', '', null);
  const placed: Placed[] = [];
  const waiting: Spot[] = [root];
  for (let spot = waiting.shift(); spot !== undefined; spot = waiting.shift()) {
    const edges = [...edgesOf(spot.key)].sort((left, right) => (left.name < right.name ? -1 : 1));
    for (const { name, key, isPeer } of edges) {
      const from = isPeer && spot.parent !== null ? spot.parent : spot;
      const holder = findHolder(from, name);
      if (holder?.children.get(name)?.key === key) {
        for (let on: Spot | null = spot; on !== null && on !== holder; on = on.parent) on.found.add(name);
        continue;
      }
      // A peer that somebody else has decided already is taken as it is: two of them would be two worlds.
      if (isPeer && holder === from) continue;
      if (placed.length >= mostPlaces) return placed;
      const owner = from;
      const hasOwnWish = (other: string): boolean =>
        other !== owner.key && edgesOf(other).some((edge) => edge.name === name && edge.key !== key);
      const place = choosePlace(from, holder, name, hasOwnWish);
      const folder = `${place.folder === '' ? '' : `${place.folder}/`}node_modules/${name}`;
      const made = makeSpot(folder, key, place);
      place.children.set(name, made);
      for (let on: Spot | null = spot; on !== null && on !== place; on = on.parent) on.found.add(name);
      placed.push({ folder, key });
      waiting.push(made);
    }
  }
  return placed;
}
