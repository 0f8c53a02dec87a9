import type { ListedTool, Listing } from '../conversation/contract.ts';

/** Listings for tests. */

export const sampleTool: ListedTool = {
  name: 'translate',
  title: 'Translate',
  description: 'Translates an English word to German.',
  inputSchema: { type: 'object', properties: { word: { type: 'string', maxLength: 100 } }, required: ['word'] },
  annotations: { readOnlyHint: true },
};

export function sampleListing(tools: readonly ListedTool[] = [sampleTool], more: Partial<Listing> = {}): Listing {
  return { tools, prompts: [], resources: [], problems: [], raw: [], ...more };
}
