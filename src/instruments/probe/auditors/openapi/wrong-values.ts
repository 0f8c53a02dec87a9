import type { Schema } from './schema.ts';

/** Values that a schema forbids, each with the reason; plain words and numbers, nothing that could do harm. */

export interface WrongValue {
  readonly value: string;
  readonly because: string;
}

const word = 'hotcell-none';
const longestText = 2000;
const checkedFormats: ReadonlySet<string> = new Set(['uuid', 'date', 'date-time', 'email', 'ipv4', 'ipv6', 'uri']);

function ofNumber({ minimum, maximum }: Schema): readonly WrongValue[] {
  const isUsable = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < 1e15;
  return [
    ...(isUsable(maximum)
      ? [{ value: String(Math.floor(maximum) + 1), because: `more than the maximum ${maximum}` }]
      : []),
    ...(isUsable(minimum)
      ? [{ value: String(Math.ceil(minimum) - 1), because: `less than the minimum ${minimum}` }]
      : []),
  ];
}

function ofText({ format, minLength, maxLength }: Schema): readonly WrongValue[] {
  const wrong: WrongValue[] = [];
  if (format !== undefined && checkedFormats.has(format))
    wrong.push({ value: word, because: `not of the format ${format}` });
  if (maxLength !== undefined && maxLength >= 0 && maxLength < longestText) {
    wrong.push({ value: 'h'.repeat(Math.floor(maxLength) + 1), because: `longer than ${maxLength} characters` });
  }
  if (minLength !== undefined && minLength >= 2 && minLength < longestText) {
    wrong.push({ value: 'h'.repeat(Math.ceil(minLength) - 1), because: `shorter than ${minLength} characters` });
  }
  return wrong;
}

export function wrongValues(schema: Schema): readonly WrongValue[] {
  const { types, values, alternatives } = schema;
  if (alternatives.length > 0) return [];
  const [type] = types.length === 1 ? types : types.filter((each) => each !== 'null');
  const hasText = types.includes('string');
  if (values !== undefined && values.length > 0) {
    return values.includes(word) ? [] : [{ value: word, because: 'none of the values of its list' }];
  }
  if (type === 'integer' || type === 'number') {
    return [...(hasText ? [] : [{ value: word, because: `a word in place of the type ${type}` }]), ...ofNumber(schema)];
  }
  if (type === 'boolean' && !hasText) return [{ value: word, because: 'a word in place of the type boolean' }];
  return type === 'string' ? ofText(schema) : [];
}
