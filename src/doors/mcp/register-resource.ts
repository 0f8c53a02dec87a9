import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { ResourceDefinition, ToolContext } from '../tools/contract.ts';

type Reach = Pick<ToolContext, 'settings'>;

/** A list is what a person scrolls through; who looks for more has the tools. */
const mostListed = 500;

function single(variables: Readonly<Record<string, string | string[]>>): Readonly<Record<string, string>> {
  const entries = Object.entries(variables).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.join(',') : value,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

export function registerResource(server: McpServer, resource: ResourceDefinition, reach: Reach): void {
  const { name, title, description, mimeType, template } = resource;
  const metadata = { title, description, mimeType };
  const read = async (uri: URL, variables: Readonly<Record<string, string>>) => {
    const found = await resource.read(variables, reach);
    if (found === null) throw new ResourceNotFoundError(uri.href);
    return { contents: [{ uri: uri.href, mimeType, text: found.text }] };
  };
  if (!template.includes('{')) {
    server.registerResource(name, template, metadata, (uri) => read(uri, {}));
    return;
  }
  const list = async () => {
    const found = await resource.list(reach);
    return {
      resources: found.slice(0, mostListed).map((item) => ({ uri: item.uri, name: item.uri, title: item.title })),
    };
  };
  const pattern = new ResourceTemplate(template, { list });
  server.registerResource(name, pattern, metadata, (uri, variables) => read(uri, single(variables)));
}
