import { asArray, asNumber, asObject, asString } from '../../../../../base/json-shape.ts';
import type { ModelService } from './contract.ts';

/** Chat completions, as many services and local programs offer them. Not all know schemas, nor the same name for a limit. */

function textOf(content: unknown): string {
  const parts = asArray(content).map((part) => asString(asObject(part).text) ?? '');
  return asString(content) ?? parts.join('\n');
}

export const openaiCompatible: ModelService = {
  id: 'openai-compatible',
  defaultUrl: null,
  defaultModel: null,
  needsKey: false,
  path: '/chat/completions',
  headers: (key): Readonly<Record<string, string>> => (key === '' ? {} : { authorization: `Bearer ${key}` }),
  body: ({ system, user, schema, mostTokens }, model, refused) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    [refused?.includes('max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens']: mostTokens,
    ...(refused === null
      ? { response_format: { type: 'json_schema', json_schema: { name: 'proposals', schema, strict: false } } }
      : {}),
  }),
  canSimplify: (status) => status === 400 || status === 422,
  read(answer) {
    const { choices, usage } = asObject(answer);
    const { message, finish_reason: finish } = asObject(asArray(choices)[0]);
    const { content, refusal } = asObject(message);
    if (finish === 'content_filter' || typeof refusal === 'string')
      return { kind: 'refusal', problem: 'the model refused' };
    const tokens = asNumber(asObject(usage).total_tokens) ?? 0;
    return { kind: 'text', text: textOf(content), isCut: finish === 'length', tokens };
  },
};
