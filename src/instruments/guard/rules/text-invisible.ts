import { asObject, asString, isObject } from '../../../base/json-shape.ts';
import { confusableScripts, normaliseText } from '../../../base/normalise.ts';
import { inspectCharacters } from '../../../targets/wording/hidden-characters.ts';
import type { Decision, Message, MessageRule, RuleHit } from '../contract.ts';
import { kinds as characterKinds } from './characters.ts';
import type { Shared } from './look.ts';
import { changeTexts, showPath } from './texts.ts';
import { visibleText } from './visible-text.ts';

const rule = 'text/invisible';
const title = 'Characters that are not seen or look like others';

function hitOf(what: string, remedy: string, details: RuleHit['details'] = {}): RuleHit {
  return { rule, title, what, remedy, details };
}

/** A name must be what it looks like, or a person and a program mean different things by it. */
function isDisguised(name: string): boolean {
  return normaliseText(name).changes.length > 0 || confusableScripts(name).length > 0;
}

const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'completion/complete': 'name',
};
const listedBy: Readonly<Record<string, string>> = { 'tools/list': 'tools', 'prompts/list': 'prompts' };

function judgeName({ kind, method, value }: Message): RuleHit | null {
  const key = namedBy[method ?? ''];
  const name = kind === 'request' && key !== undefined ? asString(asObject(value.params)[key]) : undefined;
  if (name === undefined || !isDisguised(name)) return null;
  return hitOf('a call by a name that is not what it looks like', 'Call the tool by the name it is listed under.');
}

/** An entry whose name would have to be changed could not be called any more. */
function withoutDisguised({ kind, method, value }: Message): {
  readonly value: Message['value'];
  readonly count: number;
} {
  const key = listedBy[method ?? ''];
  const { result } = value;
  const list = kind === 'response' && key !== undefined && isObject(result) ? result[key] : undefined;
  if (key === undefined || !Array.isArray(list)) return { value, count: 0 };
  const kept = list.filter((entry) => !isDisguised(asString(asObject(entry).name) ?? ''));
  const count = list.length - kept.length;
  return { value: count === 0 ? value : { ...value, result: { ...asObject(result), [key]: kept } }, count };
}

const longestCompared = 65_536;

const imitating =
  '\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Lisu}\\p{Script=Coptic}';
/** A word that mixes has a letter of one kind beside one of the other. */
const mixedPair = new RegExp(`[\\p{L}--[${imitating}]][${imitating}]|[${imitating}][\\p{L}--[${imitating}]]`, 'v');

function isMixed(given: string): boolean {
  const text = given.slice(0, longestCompared);
  return mixedPair.test(text) && inspectCharacters(text).confusable !== undefined;
}

export function textInvisible({ look }: Shared): MessageRule {
  const judge = (message: Message): Decision => {
    const seen = look(message);
    if (seen.isPlain) return { is: 'pass' };
    const named = judgeName(message);
    if (named !== null) return { is: 'refuse', hit: named };
    const hits: RuleHit[] = [];
    const { value: listed, count } = withoutDisguised(message);
    if (count > 0)
      hits.push(
        hitOf(
          `${count} entries were taken out whose names are not what they look like`,
          'Tell the authors of the server.',
        ),
      );
    let removed = 0;
    let first: readonly (string | number)[] = [];
    const kinds = new Set<string>();
    const remaining = count === 0 ? message : { ...pick(message), value: listed };
    const clean = (text: string, path: readonly (string | number)[]): string => {
      const visible = visibleText(text);
      if (visible.removed > 0 && removed === 0) first = [...path];
      removed += visible.removed;
      for (const kind of visible.kinds) kinds.add(kind);
      return visible.text;
    };
    const value = seen.has(characterKinds.unseen) ? changeTexts(remaining, clean) : listed;
    if (removed > 0) {
      const details = { at: showPath(first), count: removed, characters: [...kinds].slice(0, 10) };
      hits.push(
        hitOf(
          'characters that cannot be seen were taken out',
          'Nothing has to be done; somebody may have hidden a text there.',
          details,
        ),
      );
    }
    if (hits.length > 0) return { is: 'change', value, hits };
    if (!seen.has(characterKinds.foreign)) return { is: 'pass' };
    const mixed = seen.texts.find(({ text, kind }) => kind !== 'binary' && isMixed(text));
    if (mixed === undefined) return { is: 'pass' };
    const what = 'a word that mixes letters of several scripts, which was left as it is';
    return {
      is: 'pass',
      noted: [hitOf(what, 'Read it twice: letters of other scripts can look the same.', { at: showPath(mixed.path) })],
    };
  };
  return { id: rule, title, methods: ['*'], directions: ['to-server', 'to-client'], judge };
}

/** The value of a message may be a getter of its class, which a copy by spreading would not take along. */
function pick({ direction, kind, method, id, bytes, request }: Message): Omit<Message, 'value'> {
  return { direction, kind, method, id, bytes, request };
}
