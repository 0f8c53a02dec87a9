import type { MessageRule } from '../contract.ts';
import { shownName } from '../stream/recording.ts';
import { subjectOf } from '../stream/relayed-message.ts';

const rule = 'canaries/leaving';
const title = 'Canary seen where it must not be';

/** Tokens that were planted elsewhere, in any encoding. The bytes are searched as they are, escapes and all. */
export function canariesLeaving(): MessageRule {
  return {
    id: rule,
    title,
    methods: ['*'],
    directions: ['to-server', 'to-client'],
    judge(message, { canaries, server }) {
      const { direction, method, kind, request, bytes } = message;
      const asked = kind === 'response' ? request : message;
      const name = shownName((asked === null ? '' : subjectOf(asked)) || (method ?? ''));
      const channel = direction === 'to-server' ? 'arguments' : 'results';
      const [hit] = canaries.search({ server, channel, name }, bytes);
      if (hit === undefined) return { is: 'pass' };
      const { id, plantedIn, encoding } = hit;
      return {
        is: 'refuse',
        hit: {
          rule,
          title,
          what: `a canary from ${plantedIn} is in the ${channel} of ${server}`,
          remedy:
            'Something carries data from one server to another: look at `hotcell audit log`, and at both servers.',
          details: { canary: id, plantedIn, encoding, channel, name },
        },
      };
    },
  };
}
