import { z } from 'zod';
import { asString, type JsonObject } from '../../../../base/json-shape.ts';
import { readRules } from '../../../../base/rules-folder.ts';
import { sentencesOf, wordsOfName } from '../../../../targets/wording/text-forms.ts';

/** What a tool can do, judged by what it calls itself: enough to see what could flow where, never enough to accuse. */

const legSchema = z.strictObject({
  verbs: z.array(z.string()),
  things: z.array(z.string()),
  names: z.array(z.string()),
  says: z.string(),
});
const fileSchema = z.strictObject({
  note: z.string(),
  private: legSchema,
  untrusted: legSchema,
  outward: legSchema,
  changes: z.array(z.string()),
  destroys: z.array(z.string()),
});
export type Capabilities = z.infer<typeof fileSchema>;

export const legs = ['private', 'untrusted', 'outward'] as const;
export type Leg = (typeof legs)[number];

export function readCapabilities(): Capabilities {
  return readRules('metadata/capabilities.json', fileSchema);
}

export function nameWords(tool: JsonObject): readonly string[] {
  return wordsOfName(asString(tool.name) ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

export function legsOf(tool: JsonObject, capabilities: Capabilities): readonly Leg[] {
  const words = nameWords(tool);
  const whole = words.join('_');
  const first = sentencesOf(asString(tool.description) ?? '').split('\n', 1)[0] ?? '';
  return legs.filter((leg) => {
    const { verbs, things, names, says } = capabilities[leg];
    if (names.includes(whole)) return true;
    if (words.some((word) => verbs.includes(word)) && words.some((word) => things.includes(word))) return true;
    return new RegExp(says).test(first.slice(0, 400));
  });
}
