import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import { findNearest } from '../../engine/policy/nearest.ts';
import type { ToolDefinition } from './contract.ts';

/** What a caller hands in becomes what a handler gets, or an error that names the field. */

type Issue = z.core.$ZodIssue;

const mostTold = 4;

function describeIssue(issue: Issue, fields: readonly string[]): string {
  const where = issue.path.length === 0 ? '' : z.core.toDotPath(issue.path.map(String));
  if (issue.code === 'unrecognized_keys') {
    const told = issue.keys.slice(0, mostTold).map((key) => {
      const nearest = where === '' ? findNearest(key, fields) : null;
      return `${JSON.stringify(key.slice(0, 64))}${nearest === null ? '' : ` (did you mean ${nearest}?)`}`;
    });
    return `${where === '' ? '' : `${where}: `}unknown: ${told.join(', ')}`;
  }
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

export function readInput(definition: ToolDefinition, input: unknown): Record<string, unknown> {
  const parsed = definition.input.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const fields = Object.keys(definition.input.shape);
  const { issues } = parsed.error;
  const told = issues.slice(0, mostTold).map((issue) => describeIssue(issue, fields));
  const more = issues.length > told.length ? ` (and ${issues.length - told.length} more)` : '';
  throw new UsageError(`${definition.name}: ${told.join('; ')}${more}`, {
    hint: fields.length === 0 ? 'it takes no input' : `its fields are ${fields.join(', ')}`,
  });
}
