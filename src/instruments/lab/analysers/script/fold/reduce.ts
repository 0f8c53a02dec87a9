import type { FoldFunction, FoldResult, Profile } from './profile.ts';
import { type Constant, isConstant, isSign, type Token, textFrom } from './token.ts';

/** Replaces expressions of constants by their values, in one pass with a stack: each step makes the stack smaller. */

export interface Folded {
  readonly tokens: readonly Token[];
  readonly steps: number;
  /** Texts that came out of decoding functions. */
  readonly decoded: readonly { readonly how: string; readonly text: string }[];
}

const mostText = 2_000_000;
const mostItems = 400_000;
const mostSubstituted = 6_000_000;
const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '^': (left, right) => left ^ right,
  xor: (left, right) => left ^ right,
  '-bxor': (left, right) => left ^ right,
  '%': (left, right) => left % right,
  mod: (left, right) => left % right,
};
const bindsStronger = new Set(['.', '[', '(', '*', '/', '%']);

function constantOf(result: FoldResult, before: string): Constant | undefined {
  if (typeof result === 'string') return result.length > mostText ? undefined : { kind: 'text', value: result, before };
  if (typeof result === 'number')
    return Number.isFinite(result) ? { kind: 'number', value: result, before } : undefined;
  if (result === undefined || result.length > mostItems) return undefined;
  return { kind: 'list', items: result, before };
}

function isCallable(token: Token | undefined): boolean {
  return token?.kind === 'word' || isSign(token, ')') || isSign(token, ']');
}

export function reduce(tokens: readonly Token[], profile: Profile, tick: () => void): Folded {
  const stack: Token[] = [];
  const decoded: { how: string; text: string }[] = [];
  const variables = new Map<string, Constant>();
  let steps = 0;
  let substituted = 0;
  const key = (name: string): string => (profile.ignoreCase ? name.toLowerCase() : name);
  const lookUp = (table: Readonly<Record<string, FoldFunction>>, name: string): FoldFunction | undefined =>
    Object.hasOwn(table, key(name)) ? table[key(name)] : undefined;

  const run = (call: FoldFunction, values: readonly Constant[], before: string): Constant | undefined => {
    const result = constantOf(call.run(values), before);
    if (result?.kind === 'text' && call.decodes !== undefined && result.value.length >= 4 && decoded.length < 500) {
      decoded.push({ how: call.decodes, text: result.value });
    }
    return result;
  };

  /** Puts a value in place of the last tokens. */
  const replace = (count: number, value: Constant | undefined): boolean => {
    if (value === undefined) return false;
    stack.length -= count;
    stack.push(value);
    steps += 1;
    return true;
  };

  /** The constants between an opening sign and the top, which closes it. */
  const enclosed = (opening: string): { values: Constant[]; at: number } | undefined => {
    const values: Constant[] = [];
    let at = stack.length - 2;
    if (isSign(stack[at], opening)) return { values, at };
    for (; at >= 1; at -= 2) {
      const value = stack[at];
      if (!isConstant(value)) return undefined;
      values.push(value);
      if (isSign(stack[at - 1], opening)) return { values: values.reverse(), at: at - 1 };
      if (!isSign(stack[at - 1], ',')) return undefined;
    }
    return undefined;
  };

  const listOf = (values: readonly Constant[]): FoldResult =>
    values.flatMap((value) => (value.kind === 'list' ? value.items : [value.value]));

  const closeParenthesis = (): boolean => {
    const found = enclosed('(');
    if (found === undefined) return false;
    const { values, at } = found;
    const count = stack.length - at;
    const caller = stack[at - 1];
    if (caller?.kind === 'word') {
      const subject = stack[at - 2];
      if (caller.value.startsWith('.') && isConstant(subject)) {
        const method = lookUp(profile.methods, caller.value.slice(1));
        return method === undefined ? false : replace(count + 2, run(method, [subject, ...values], subject.before));
      }
      const call = lookUp(profile.functions, caller.value);
      if (call !== undefined) return replace(count + 1, run(call, values, caller.before));
      if (
        !/^(?:-|\[[^:]*$)/.test(caller.value) &&
        !/^(?:return|in|and|or|not|if|while|echo|print)$/i.test(caller.value)
      )
        return false;
    } else if (isCallable(caller) || isConstant(caller)) return false;
    const before = stack[at]?.before ?? '';
    if (values.length === 1 && values[0] !== undefined) return replace(count, { ...values[0], before });
    return values.length > 1 ? replace(count, constantOf(listOf(values), before)) : false;
  };

  const closeBracket = (): boolean => {
    const found = enclosed('[');
    if (found === undefined) return false;
    const { values, at } = found;
    const subject = stack[at - 1];
    const before = stack[at]?.before ?? '';
    const [index] = values;
    if (isConstant(subject) && values.length === 1 && index?.kind === 'number') {
      const items = subject.kind === 'list' ? subject.items : textFrom(subject);
      const item = items[index.value < 0 ? items.length + index.value : index.value];
      return replace(stack.length - at + 1, constantOf(item, subject.before));
    }
    if (isConstant(subject) || isCallable(subject) || values.length === 0) return false;
    return replace(stack.length - at, constantOf(listOf(values), before));
  };

  /** What stands left of a word: commas bind stronger than words do. */
  const leftList = (): { value: Constant; count: number } => {
    let at = stack.length - 3;
    const values = [stack[at] as Constant];
    for (; isSign(stack[at - 1], ',') && isConstant(stack[at - 2]); at -= 2) values.push(stack[at - 2] as Constant);
    const first = values[values.length - 1] as Constant;
    const list = values.length === 1 ? first : constantOf(listOf(values.reverse()), first.before);
    return { value: list ?? first, count: stack.length - 2 - at };
  };

  const joinTwo = (next: Token | undefined): boolean => {
    const right = stack[stack.length - 1];
    const operator = stack[stack.length - 2];
    if (!isConstant(right) || operator === undefined || isConstant(operator)) return false;
    if (next !== undefined && !isConstant(next) && (bindsStronger.has(next.value) || next.value.startsWith('.')))
      return false;
    const left = stack[stack.length - 3];
    if (!isConstant(left)) {
      const cast = operator.kind === 'word' ? lookUp(profile.operators, operator.value) : undefined;
      return cast === undefined ? false : replace(2, run(cast, [right], operator.before));
    }
    const behind = stack[stack.length - 4];
    const word = lookUp(profile.operators, operator.value);
    if (word !== undefined && operator.kind === 'word') {
      if (isSign(next, ',')) return false;
      const { value, count } = leftList();
      return replace(count + 2, run(word, [value, right], value.before));
    }
    if (behind !== undefined && !isConstant(behind) && (behind.value === '*' || behind.value === '.')) return false;
    const name = key(operator.value);
    if (left.kind === 'number' && right.kind === 'number') {
      const compute = Object.hasOwn(arithmetic, name) ? arithmetic[name] : undefined;
      if (compute !== undefined && !(behind?.kind === 'sign' && behind.value === '-')) {
        return replace(3, constantOf(compute(left.value, right.value), left.before));
      }
    }
    if (!profile.joins.has(name) || left.kind === 'list' || right.kind === 'list') return false;
    if (left.kind === 'number' && right.kind === 'number') return false;
    return replace(3, constantOf(textFrom(left) + textFrom(right), left.before));
  };

  /** `'{1}{0}' -f 'b','a'`: values behind a word, with commas and no parentheses. */
  const closeCommas = (next: Token | undefined): boolean => {
    if (!isConstant(stack[stack.length - 1]) || !isSign(stack[stack.length - 2], ',')) return false;
    // Only where the list ends is it looked at: at each item that would take quadratic time.
    const ends =
      next === undefined || next.before.includes('\n') || (next.kind === 'sign' && ');}|'.includes(next.value));
    if (!ends || isSign(next, ',')) return false;
    let at = stack.length - 1;
    const values: Constant[] = [];
    for (; at >= 2; at -= 2) {
      const value = stack[at];
      if (!isConstant(value)) return false;
      values.push(value);
      if (!isSign(stack[at - 1], ',')) break;
    }
    const operator = stack[at - 1];
    const left = stack[at - 2];
    if (operator?.kind !== 'word' || !isConstant(left)) return false;
    const call = lookUp(profile.operators, operator.value);
    return call === undefined
      ? false
      : replace(stack.length - at + 2, run(call, [left, ...values.reverse()], left.before));
  };

  /** Keeps what a variable is set to, and forgets it where that cannot be said. */
  const keepVariable = (next: Token | undefined): void => {
    const value = stack[stack.length - 1];
    const sign = stack[stack.length - 2];
    if (sign?.kind !== 'sign' || !profile.assigns.has(sign.value)) return;
    let at = stack.length - 3;
    const adds = stack[at]?.kind === 'sign' && ['+', '.'].includes(String((stack[at] as { value?: unknown }).value));
    if (adds) at -= 1;
    const target = stack[at];
    if (target?.kind !== 'word' || !profile.variable.test(target.value)) return;
    const ends =
      next === undefined ||
      isSign(next, ';') ||
      isSign(next, ',') ||
      isSign(next, ':') ||
      isSign(next, ')') ||
      isSign(next, '}') ||
      next.before.includes('\n');
    const name = key(target.value);
    if (!isConstant(value) || !ends) {
      if (!adds) variables.delete(name);
      return;
    }
    const known = variables.get(name);
    const sum =
      adds && known !== undefined ? constantOf(textFrom(known) + textFrom(value), '') : adds ? undefined : value;
    if (sum === undefined) variables.delete(name);
    else if (variables.size < 20_000) variables.set(name, sum);
  };

  const substitute = (token: Token, next: Token | undefined): Token => {
    if (token.kind !== 'word' || variables.size === 0) return token;
    const value = variables.get(key(token.value));
    if (value === undefined) return token;
    const assigned = next?.kind === 'sign' && (profile.assigns.has(next.value) || next.value === '+');
    const follows = assigned && next?.value === '+' ? false : assigned;
    const previous = stack[stack.length - 1];
    if (follows || (previous?.kind === 'word' && /^(?:var|let|const|dim|function|set|sub)$/i.test(previous.value)))
      return token;
    const size = value.kind === 'list' ? value.items.length * 8 : String(value.value).length;
    if (size > 16) substituted += size;
    if (substituted > mostSubstituted) return token;
    return value.kind === 'list'
      ? { ...value, before: token.before }
      : ({ kind: value.kind, value: value.value, before: token.before } as Token);
  };

  for (let index = 0; index < tokens.length; index += 1) {
    if (index % 2048 === 0) tick();
    const token = tokens[index];
    const next = tokens[index + 1];
    if (token === undefined) continue;
    const plusAssign = isSign(next, '+') && isSign(tokens[index + 2], '=');
    stack.push(plusAssign ? token : substitute(token, next));
    for (let guard = 0; guard < 64; guard += 1) {
      const done = isSign(stack[stack.length - 1], ')')
        ? closeParenthesis()
        : isSign(stack[stack.length - 1], ']')
          ? closeBracket()
          : closeCommas(next) || joinTwo(next);
      if (!done) break;
    }
    keepVariable(next);
  }
  return { tokens: stack, steps, decoded };
}
