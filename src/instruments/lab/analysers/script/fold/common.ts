import type { FoldFunction, FoldResult } from './profile.ts';
import { type Constant, charactersOf, codesFrom, textFrom } from './token.ts';

/** Functions that several languages have under other names. */

type TextFunction = (text: string) => FoldResult;

export function onText(run: TextFunction, decodes?: string): FoldFunction {
  return {
    run: ([value]) => (value === undefined ? undefined : run(textFrom(value))),
    ...(decodes === undefined ? {} : { decodes }),
  };
}

export const characters: FoldFunction = {
  run: (values) =>
    charactersOf(values.flatMap((value) => (value.kind === 'text' ? [Number(value.value)] : codesFrom(value)))),
  decodes: 'character codes',
};

/** The same for one character: too short to be a layer. */
export const character: FoldFunction = { run: characters.run };

function numberAt(values: readonly Constant[], index: number): number | undefined {
  const value = values[index];
  return value?.kind === 'number' ? value.value : undefined;
}

export function slice(run: (text: string, from: number, to: number | undefined) => string): FoldFunction {
  return {
    run: (values) => {
      const from = numberAt(values, 1);
      return values[0] === undefined || from === undefined
        ? undefined
        : run(textFrom(values[0]), from, numberAt(values, 2));
    },
  };
}

const mostReplaced = 2_000_000;

/** Replaces plain text, as often as it occurs or once. */
export function replacing(all: boolean): FoldFunction {
  return {
    run: ([subject, from, to]) => {
      if (subject === undefined || from === undefined) return undefined;
      const [text, old, fresh] = [textFrom(subject), textFrom(from), to === undefined ? '' : textFrom(to)];
      if (old === '') return text;
      if (!all) return text.replace(old, () => fresh);
      const parts = text.split(old);
      return text.length + parts.length * fresh.length > mostReplaced ? undefined : parts.join(fresh);
    },
  };
}

export const splitting: FoldFunction = {
  run: ([subject, by]) => {
    if (subject === undefined) return undefined;
    const separator = by === undefined ? ' ' : textFrom(by);
    return textFrom(subject).split(separator);
  },
};

export const reversing: FoldFunction = {
  run: ([subject]) => {
    if (subject === undefined) return undefined;
    return subject.kind === 'list' ? [...subject.items].reverse() : Array.from(textFrom(subject)).reverse().join('');
  },
};

export const joining: FoldFunction = {
  run: ([subject, by]) => {
    if (subject?.kind !== 'list') return undefined;
    const separator = by === undefined ? ',' : textFrom(by);
    return subject.items.length * separator.length > mostReplaced ? undefined : subject.items.join(separator);
  },
};
