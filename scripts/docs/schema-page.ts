import { policyJsonSchema } from '../../src/engine/policy/index.ts';
import type { Page } from './page.ts';

export const schemaPage: Page = {
  path: 'docs/schema/policy.json',
  render: () => `${JSON.stringify(policyJsonSchema(), null, 2)}\n`,
};
