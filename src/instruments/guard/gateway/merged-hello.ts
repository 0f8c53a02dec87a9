import { asObject, type JsonObject } from '../../../base/json-shape.ts';
import { modernVersion } from '../../../targets/conversation/era.ts';
import type { Hello } from './hello.ts';
import type { ServerLink } from './server-link.ts';
import { serverInfoMeta } from './shake-hands.ts';

/** What all servers together say of themselves. */

const listed = ['tools', 'prompts', 'resources'] as const;

/** Who is still starting may bring anything; who goes takes its part away: lists can always change. */
function mergeCapabilities(links: readonly ServerLink[]): JsonObject {
  const isWaiting = links.some(({ state }) => state.is === 'starting');
  const has = (capability: string): boolean => isWaiting || links.some((link) => link.offers(capability));
  const subscribe = links.some((link) => asObject(link.agreement?.capabilities.resources).subscribe === true);
  return {
    ...Object.fromEntries(listed.filter(has).map((capability) => [capability, { listChanged: true }])),
    ...(has('resources') ? { resources: { listChanged: true, ...(subscribe ? { subscribe: true } : {}) } } : {}),
    ...(has('logging') ? { logging: {} } : {}),
    ...(has('completions') ? { completions: {} } : {}),
  };
}

function mergeInstructions(links: readonly ServerLink[]): string {
  const own = links.filter(({ agreement }) => (agreement?.instructions ?? '') !== '');
  const gone = links.flatMap(({ name, state }) =>
    state.is === 'lost' ? [`Server ${JSON.stringify(name)} is not there: ${state.because}`] : [],
  );
  const parts = own.map(
    ({ name, label, agreement }) =>
      `From server ${JSON.stringify(name)}, about its own tools (${label}__…) only:\n${agreement?.instructions ?? ''}`,
  );
  const [first, ...more] = links.map(({ label }) => `${label}__…`);
  if (first === undefined) return '';
  return [`Several servers behind one gateway: ${[first, ...more].join(', ')}`, ...parts, ...gone].join('\n\n');
}

export function mergedHello(
  links: readonly ServerLink[],
  hello: Hello,
  identity: { readonly name: string; readonly version: string },
): JsonObject {
  const capabilities = mergeCapabilities(links);
  const instructions = mergeInstructions(links);
  return hello.isModern
    ? { supportedVersions: [modernVersion], capabilities, instructions, _meta: serverInfoMeta(identity) }
    : { protocolVersion: hello.protocolVersion, capabilities, serverInfo: identity, instructions };
}
