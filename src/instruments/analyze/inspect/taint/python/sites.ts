import type { Site } from '../target.ts';
import { registeringAssignment, registeringCall, registeringDecorator, registeringKeywords } from './registrations.ts';
import { children, inner, is, isFunction, type Offsets, type PyNode } from './tree.ts';

const mostSites = 400;

export function sitesOf(tree: PyNode, offsets: Offsets): readonly Site[] {
  const sites: Site[] = [];
  const visit = (node: PyNode, around: Site['around']) => {
    if (sites.length >= mostSites) return;
    if (isRegistering(node)) sites.push({ callAt: offsets.at(node), around });
    const kind = isFunction(node) ? 'function' : is(node, 'ClassDef') ? 'class' : undefined;
    const inside = kind === undefined ? around : [...around, { kind, at: offsets.at(node) } as const];
    for (const next of inner(node)) visit(next, inside);
  };
  visit(tree, []);
  return sites;
}

function isRegistering(node: PyNode): boolean {
  if (isFunction(node))
    return children(node, 'decorator_list').some((decorator) => registeringDecorator(decorator) !== undefined);
  if (is(node, 'Call')) return registeringCall(node) !== undefined || registeringKeywords(node).length > 0;
  return is(node, 'Assign') && registeringAssignment(children(node, 'targets')[0]) !== undefined;
}
