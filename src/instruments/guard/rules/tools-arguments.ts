import { asObject, asString } from '../../../base/json-shape.ts';
import type { MessageRule } from '../contract.ts';
import { shownName } from '../stream/recording.ts';
import { misfitOf } from './schema/validate.ts';
import { linesFor } from './tool-lines.ts';

const rule = 'tools/arguments';
const title = 'Argument not allowed';

/** Arguments that the policy has a schema for must fit it; of a tool that several lines are about, all of them. */
export function toolsArguments(): MessageRule {
  return {
    id: rule,
    title,
    methods: ['tools/call'],
    directions: ['to-server'],
    judge(message, { policy }) {
      if (message.kind !== 'request' || policy.tools === undefined) return { is: 'pass' };
      const params = asObject(message.value.params);
      const tool = asString(params.name) ?? '';
      const given = asObject(params.arguments);
      for (const line of linesFor(policy, tool)) {
        for (const [name, schema] of Object.entries(line.arguments ?? {})) {
          if (!Object.hasOwn(given, name)) continue;
          const misfit = misfitOf(given[name], schema);
          if (misfit === null) continue;
          return {
            is: 'refuse',
            hit: {
              rule,
              title,
              what: `an argument that the policy does not allow: ${misfit}`,
              remedy: `Change the call, or the schema of this argument in the policy "${policy.name}".`,
              details: { tool: shownName(tool), argument: shownName(name), misfit },
            },
          };
        }
      }
      return { is: 'pass' };
    },
  };
}
