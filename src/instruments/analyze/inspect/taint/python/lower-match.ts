import type { Expression, Statement } from '../ir.ts';
import { anything, type Context, constantOf } from './context.ts';
import { lower } from './lower-expression.ts';
import { lowerBlock } from './lower-statement.ts';
import { child, children, is, type PyNode, text } from './tree.ts';

/** A chain of comparisons; patterns that look into a value may match or not. */
export function lowerMatch(node: PyNode, context: Context): Statement[] {
  const at = context.offsets.at(node);
  const id = context.scope.fresh();
  const subject: Expression = { kind: 'variable', id, name: '' };
  const chain = children(node, 'cases').reduceRight<Statement[]>((otherwise, one) => {
    const pattern = child(one, 'pattern');
    const guard = child(one, 'guard');
    const bound = captures(pattern, subject, context, at);
    const test = testOf(pattern, subject, context, at);
    const whole: Expression =
      guard === undefined
        ? test
        : {
            kind: 'logical',
            operator: '&&',
            left: test,
            right: { kind: 'sequence', items: [...bound, lower(guard, context)] },
          };
    const consequence = [
      ...bound.map((expression): Statement => ({ kind: 'expression', expression })),
      ...lowerBlock(children(one, 'body'), context),
    ];
    return [{ kind: 'if', test: whole, consequence, otherwise }];
  }, []);
  return [
    { kind: 'declare', target: { kind: 'variable', id, name: '' }, value: lower(child(node, 'subject'), context), at },
    ...chain,
  ];
}

function testOf(pattern: PyNode | undefined, subject: Expression, context: Context, at: number): Expression {
  if (is(pattern, 'MatchValue'))
    return { kind: 'binary', operator: '===', left: subject, right: lower(child(pattern, 'value'), context), at };
  if (is(pattern, 'MatchSingleton'))
    return { kind: 'binary', operator: '===', left: subject, right: constantOf(null), at };
  if (is(pattern, 'MatchOr')) {
    const [first, ...others] = children(pattern, 'patterns').map((one) => testOf(one, subject, context, at));
    return others.reduce<Expression>(
      (left, right) => ({ kind: 'logical', operator: '||', left, right }),
      first ?? anything,
    );
  }
  if (is(pattern, 'MatchAs')) {
    const inside = child(pattern, 'pattern');
    return inside === undefined ? constantOf(true) : testOf(inside, subject, context, at);
  }
  return anything;
}

/** Every name in a pattern gets its part, or something of the whole where that is not told apart. */
function captures(pattern: PyNode | undefined, value: Expression, context: Context, at: number): Expression[] {
  if (pattern === undefined) return [];
  const found: Expression[] = [];
  const name = text(pattern, 'name') || text(pattern, 'rest');
  if (name !== '') {
    const target = { kind: 'variable', id: context.scope.find(name) ?? context.scope.declare(name), name } as const;
    found.push({ kind: 'assign', target, operator: '=', value, at });
  }
  found.push(...captures(child(pattern, 'pattern'), value, context, at));
  const keys = children(pattern, 'keys');
  const attributes = Array.isArray(pattern.kwd_attrs) ? pattern.kwd_attrs.map(String) : [];
  for (const [index, one] of children(pattern, 'patterns').entries()) {
    const key = keys[index];
    const part: Expression = is(pattern, 'MatchOr')
      ? value
      : { kind: 'element', object: value, index: key === undefined ? constantOf(index) : lower(key, context), at };
    found.push(...captures(one, part, context, at));
  }
  for (const [index, one] of children(pattern, 'kwd_patterns').entries()) {
    found.push(...captures(one, { kind: 'member', object: value, property: attributes[index] ?? '', at }, context, at));
  }
  return found;
}
