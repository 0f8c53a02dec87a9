import { asObject, isObject } from '../../../../base/json-shape.ts';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { makeFinding } from '../../inspect/rule.ts';
import { fits } from '../arguments/fits.ts';
import { evidenceAt, type ResultInspector } from './contract.ts';
import { resultRules } from './rules.ts';

export function inspectOutput(tools: readonly ListedTool[]): ResultInspector {
  const schemas = new Map(tools.map(({ name, outputSchema }) => [name, outputSchema]));
  return (call) => {
    const schema = schemas.get(call.tool);
    const { outcome, isToolError, raw } = call.result;
    if (!isObject(schema) || outcome !== 'answered' || isToolError || call.isTrial) return [];
    const { structuredContent } = asObject(raw);
    if (structuredContent !== undefined && fits(structuredContent, schema, schema)) return [];
    const what = structuredContent === undefined ? 'no structured content' : 'structured content that does not fit';
    return [
      makeFinding(resultRules.schema, {
        identity: [call.tool],
        title: `${call.tool}: has an output schema, and answered with ${what}`,
        evidence: [evidenceAt(call, JSON.stringify(structuredContent ?? null) ?? '')],
      }),
    ];
  };
}
