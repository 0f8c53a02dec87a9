import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { wordsOf } from '../arguments/meaning.ts';
import type { Trial } from '../trials/index.ts';

/** A position: one parameter of one tool. */
export function placeOf({ tool, position }: Pick<Trial, 'tool' | 'position'>): string {
  return `${tool}\n${position.pointer}`;
}

/**
 * Rounds: the best trial of every position, then the second best of every one, and so on. What a trial has shown is known
 * a little later, and by the time its position has its next turn the answer is there.
 */
export function inRounds(trials: readonly Trial[]): readonly Trial[] {
  const places = [...Map.groupBy(trials, placeOf).values()].map((group) =>
    group.toSorted((one, other) => other.score - one.score),
  );
  const longest = Math.max(0, ...places.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) =>
    places.flatMap((group) => group.slice(round, round + 1)).toSorted((one, other) => other.score - one.score),
  ).flat();
}

const writingWords =
  /(?:^|[^a-z])(?:write|delete|remove|move|edit|create|update|put|rename|append|insert|modify|overwrite|save|drop|clear|reset|replace|set)(?:$|[^a-z])/i;

/** A tool that seems to change things. It comes last, because what it changes may be what others are to be caught reading. */
export function seemsToWrite({ name, annotations }: Pick<ListedTool, 'name' | 'annotations'>): boolean {
  if (annotations?.readOnlyHint === true) return false;
  return annotations?.destructiveHint === true || writingWords.test(wordsOf(name));
}
