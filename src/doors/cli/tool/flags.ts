import type { ToolDefinition } from '../../tools/contract.ts';
import { inputSchemaOf, type JsonSchema } from '../../tools/schemas.ts';

/** The flags of a tool, made from the schema of its input. */

export type FlagKind = 'text' | 'number' | 'boolean' | 'json';

export interface ToolFlag {
  /** As the schema calls it. */
  readonly field: string;
  /** As a command line writes it, with `--`. */
  readonly flag: string;
  readonly kind: FlagKind;
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

export function flagOf(field: string): string {
  return `--${field.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function kindOf({ type, enum: values }: JsonSchema): FlagKind {
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'string' || (values?.every((value) => typeof value === 'string') ?? false)) return 'text';
  return 'json';
}

export function flagsOf(definition: Pick<ToolDefinition, 'input'>): readonly ToolFlag[] {
  const { properties = {}, required = [] } = inputSchemaOf(definition);
  return Object.entries(properties).map(([field, schema]) => {
    const isList = schema.type === 'array' && schema.items !== undefined && kindOf(schema.items) !== 'json';
    const kind = isList ? kindOf(schema.items ?? {}) : kindOf(schema);
    return { field, flag: flagOf(field), kind, isList, isRequired: required.includes(field), schema };
  });
}

function describeRange({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined && maximum === undefined) return 'number';
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? 'up' : `to ${maximum}`;
  return minimum === undefined ? `number up to ${maximum}` : `${minimum} ${most}`;
}

/** What may stand there, in a few words. */
export function describeValue({ kind, isList, schema }: ToolFlag): string {
  const one = isList ? (schema.items ?? {}) : schema;
  const many = isList ? ', may be given again' : '';
  if (one.enum !== undefined) return `${one.enum.length > 12 ? 'a name' : one.enum.map(String).join(', ')}${many}`;
  if (kind === 'number') return `${describeRange(one)}${many}`;
  if (kind === 'boolean') return 'switch';
  return kind === 'json' ? 'JSON' : `text${many}`;
}

/** What is used when it is not given; null where nothing is. */
export function describeDefault({ schema: { default: usual } }: ToolFlag): string | null {
  const isEmpty =
    usual === undefined || usual === '' || JSON.stringify(usual) === '[]' || JSON.stringify(usual) === '{}';
  if (isEmpty || usual === false) return null;
  return typeof usual === 'string' ? usual : JSON.stringify(usual);
}
