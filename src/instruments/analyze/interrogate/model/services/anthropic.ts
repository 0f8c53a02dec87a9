import { asArray, asNumber, asObject, asString } from '../../../../../base/json-shape.ts';
import { jsonText } from '../../arguments/json-text.ts';
import type { ModelService } from './contract.ts';

/** The Messages API. The answer is asked for as the input of a tool, which holds the model to the schema. */

const tool = 'propose';

function textOf(content: readonly unknown[]): string {
  const blocks = content.map(asObject);
  const used = blocks.find(({ type, name }) => type === 'tool_use' && name === tool);
  if (used !== undefined) return jsonText(used.input) ?? '';
  return blocks.map(({ type, text }) => (type === 'text' ? (asString(text) ?? '') : '')).join('\n');
}

export const anthropic: ModelService = {
  id: 'anthropic',
  defaultUrl: 'https://api.anthropic.com',
  defaultModel: 'claude-sonnet-4-5',
  needsKey: true,
  path: '/v1/messages',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  body: ({ system, user, schema, mostTokens }, model) => ({
    model,
    max_tokens: mostTokens,
    system,
    messages: [{ role: 'user', content: user }],
    tools: [{ name: tool, description: 'Hands over the proposals.', input_schema: schema }],
    tool_choice: { type: 'tool', name: tool },
  }),
  canSimplify: () => false,
  read(answer) {
    const { content, stop_reason: stop, usage } = asObject(answer);
    if (stop === 'refusal') return { kind: 'refusal', problem: 'the model refused' };
    const { input_tokens: input, output_tokens: output } = asObject(usage);
    const text = textOf(asArray(content));
    return {
      kind: 'text',
      text,
      isCut: stop === 'max_tokens',
      tokens: (asNumber(input) ?? 0) + (asNumber(output) ?? 0),
    };
  },
};
