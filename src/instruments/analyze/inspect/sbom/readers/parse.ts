import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { parse as parseTomlText } from 'smol-toml';
import { parse as parseYamlText } from 'yaml';
import { describeError, TargetError } from '../../../../../base/errors.ts';
import { isObject, type JsonObject } from '../../../../../base/json-shape.ts';

/** Four syntaxes, one answer: an object, or a TargetError in one line. Nesting is the writer's choice, so it is bounded. */

const deepestNesting = 200;

/** Counts brackets outside of strings: parsers recurse, and a stack that overflows is a crash. */
function checkNesting(text: string): void {
  let depth = 0;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (quote !== '') {
      if (character === '\\') index += 1;
      else if (character === quote || character === '\n') quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > deepestNesting) throw new TargetError(`is nested deeper than ${deepestNesting} levels`);
  }
}

function toObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new TargetError('is not an object');
  return value;
}

function parseWith(syntax: string, text: string, parse: (text: string) => unknown): JsonObject {
  checkNesting(text);
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw new TargetError(`is not ${syntax}: ${describeError(cause).slice(0, 200)}`, { cause });
  }
  return toObject(value);
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

export function parseJsonObject(text: string): JsonObject {
  return parseWith('JSON', withoutMark(text), JSON.parse);
}

export function parseJsoncObject(text: string): JsonObject {
  return parseWith('JSON with comments', withoutMark(text), (content) => {
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(content, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw new TargetError(`error at character ${errors[0]?.offset ?? 0}`);
    return value;
  });
}

export function parseTomlObject(text: string): JsonObject {
  return parseWith('TOML', withoutMark(text), parseTomlText);
}

/** Indentation nests as well; a line of a lock file is never this far in. */
const deepestIndentation = 400;

export function parseYamlObject(text: string): JsonObject {
  if (new RegExp(`^ {${deepestIndentation}}`, 'm').test(text)) throw new TargetError('is indented too deeply');
  return parseWith('YAML', withoutMark(text), (content) =>
    parseYamlText(content, { maxAliasCount: 100, schema: 'core', logLevel: 'error', uniqueKeys: false }),
  );
}
