import type { ResourceDefinition } from '../contract.ts';

/** The catalogue of tools, for clients that read before they call. */

async function catalogue() {
  const { readCatalogue } = await import('../../../instruments/lab/catalogue/index.ts');
  return readCatalogue();
}

function page(value: unknown): { readonly text: string } {
  return { text: JSON.stringify(value, null, 1) };
}

const allTools: ResourceDefinition = {
  name: 'lab-tools',
  title: 'Tools of the lab',
  description: 'every external tool that the lab knows: what for, how it is called, when it is run by itself',
  toolset: 'lab',
  template: 'hotcell://lab/tools',
  mimeType: 'application/json',
  list: async () => [{ uri: 'hotcell://lab/tools', title: 'Tools of the lab' }],
  async read() {
    const { tools } = await catalogue();
    return page(
      tools.map(({ id, title, command, depth, isAutomatic, kinds, tags }) => ({
        id,
        title,
        command,
        depth,
        isAutomatic,
        kinds,
        tags,
      })),
    );
  },
};

const oneTool: ResourceDefinition = {
  name: 'lab-tool',
  title: 'A tool of the lab',
  description: 'everything that the lab knows about one tool',
  toolset: 'lab',
  template: 'hotcell://lab/tools/{name}',
  mimeType: 'application/json',
  list: async () =>
    (await catalogue()).tools.map(({ id, title }) => ({
      uri: `hotcell://lab/tools/${encodeURIComponent(id)}`,
      title: `${id}: ${title}`,
    })),
  async read({ name = '' }) {
    const { findTool } = await import('../../../instruments/lab/catalogue/index.ts');
    const found = findTool(await catalogue(), decodeURIComponent(name));
    return found === undefined ? null : page(found);
  },
};

const byTag: ResourceDefinition = {
  name: 'lab-tools-by-tag',
  title: 'Tools of the lab with a tag',
  description: 'tools for one purpose or kind of file',
  toolset: 'lab',
  template: 'hotcell://lab/tools-by-tag/{tag}',
  mimeType: 'application/json',
  async list() {
    const tags = [...new Set((await catalogue()).tools.flatMap((tool) => tool.tags))].toSorted();
    return tags.map((tag) => ({
      uri: `hotcell://lab/tools-by-tag/${encodeURIComponent(tag)}`,
      title: `Tools: ${tag}`,
    }));
  },
  async read({ tag = '' }) {
    const wanted = decodeURIComponent(tag);
    const found = (await catalogue()).tools.filter(({ tags }) => tags.includes(wanted));
    return found.length === 0 ? null : page(found);
  },
};

export const resources: readonly ResourceDefinition[] = [allTools, oneTool, byTag];
