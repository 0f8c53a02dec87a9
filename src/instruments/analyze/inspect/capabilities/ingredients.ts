import type { Ref } from './ref.ts';
import type { Resolver } from './resolve.ts';

const mostIngredients = 300;
const deepest = 24;

/**
 * What a value is made of: every ref that it is computed from, through variables, calls of own functions and what they
 * return. Paths are not told apart, so this says "may", and is used for rare combinations only.
 */
export function ingredientsOf(ref: Ref, resolver: Resolver): readonly Ref[] {
  const found: Ref[] = [];
  const seen = new Set<unknown>();
  const waiting: { readonly ref: Ref; readonly depth: number }[] = [{ ref, depth: 0 }];
  for (let at = waiting.shift(); at !== undefined && found.length < mostIngredients; at = waiting.shift()) {
    const { ref: now, depth } = at;
    const identity = now.kind === 'name' ? (now.scope.find(now.name) ?? now.name) : now;
    if (seen.has(identity) || depth > deepest) continue;
    seen.add(identity);
    found.push(now);
    for (const part of partsOf(now, resolver)) waiting.push({ ref: part, depth: depth + 1 });
  }
  return found;
}

function partsOf(ref: Ref, resolver: Resolver): readonly Ref[] {
  switch (ref.kind) {
    case 'name': {
      const binding = ref.scope.find(ref.name);
      return binding === undefined ? [] : [...binding.definitions, ...binding.flows];
    }
    case 'member': {
      if (ref.of.kind === 'this') return ref.of.shape.fields.get(ref.name) ?? [];
      const of = resolver.resolve(ref.of);
      if (of?.kind === 'object') {
        const field = of.object.fields.get(ref.name);
        return field === undefined ? of.object.spread : [field];
      }
      if (of?.kind === 'file') {
        const exported = of.file.exports.get(ref.name);
        return exported === undefined ? [] : [exported];
      }
      return [ref.of];
    }
    case 'call': {
      const of = resolver.resolve(ref.of);
      if (of?.kind === 'routine') return of.routine.returns;
      const receiver = ref.of.kind === 'member' || ref.of.kind === 'call' ? [ref.of] : [];
      return [...receiver, ...ref.args.filter(({ kind }) => kind !== 'routine'), ...ref.named.values()];
    }
    case 'object':
      return [...ref.fields.values(), ...ref.spread];
    case 'either':
    case 'mix':
      return ref.parts;
    default:
      return [];
  }
}

export function textsOf(refs: readonly Ref[]): readonly string[] {
  return refs.flatMap((ref) => (ref.kind === 'text' ? [ref.text] : []));
}
