import type { Site } from '../target.ts';
import { enclosuresOf } from './enclosing.ts';
import type { Node } from './tree.ts';

/** Calls that hand over a handler, by the look of the text. */
const registrationCalls =
  /\b(?:registerTool|registerTools|registerAppTool|setRequestHandler|addTools?|registerResource|registerPrompt)\s*\(|\.(?:tool|resource|prompt)\s*\(/;
const registrationHints =
  /\btools\s*:\s*[[{\w]|\b(?:defineTool|createTool|FastMCP|McpServer|MCPServer|CallToolRequestSchema)\b|["'`]tools\/call["'`]/;

export function mayRegister(text: string): boolean {
  return registrationCalls.test(text) || registrationHints.test(text);
}

const mostSites = 400;

export function sitesOf(tree: Node | undefined, text: string): readonly Site[] {
  if (tree === undefined) return [];
  const found = [...text.matchAll(new RegExp(registrationCalls, 'g'))].slice(0, mostSites);
  return found.flatMap((site): Site[] => {
    const { callAt, around } = enclosuresOf(tree, site.index + 1);
    return callAt === undefined ? [] : [{ callAt, around }];
  });
}
