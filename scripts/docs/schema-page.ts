import { eventJsonSchema } from '../../src/base/event-schema.ts';
import { reportJsonSchema } from '../../src/base/report-schema.ts';
import { completenessJsonSchema } from '../../src/engine/cell/index.ts';
import { policyJsonSchema } from '../../src/engine/policy/index.ts';
import { labReportJsonSchema } from '../../src/instruments/lab/report/schema.ts';
import { scopeJsonSchema } from '../../src/instruments/probe/scope/index.ts';
import type { Page } from './page.ts';

const schemas: Readonly<Record<string, () => Record<string, unknown>>> = {
  policy: policyJsonSchema,
  event: eventJsonSchema,
  completeness: completenessJsonSchema,
  report: reportJsonSchema,
  'lab-report': labReportJsonSchema,
  scope: scopeJsonSchema,
};

export const schemaPages: readonly Page[] = Object.entries(schemas).map(([name, make]) => ({
  path: `docs/schema/${name}.json`,
  render: () => `${JSON.stringify(make(), null, 2)}\n`,
}));
