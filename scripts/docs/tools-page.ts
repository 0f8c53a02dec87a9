import { describeDefault, describeValue, flagsOf } from '../../src/doors/cli/tool/flags.ts';
import { describeAnnotations, exampleLine } from '../../src/doors/cli/tool/help.ts';
import type { ToolDefinition, Toolset } from '../../src/doors/tools/contract.ts';
import { toolsets } from '../../src/doors/tools/index.ts';
import { outputSchemaOf } from '../../src/doors/tools/schemas.ts';
import { type Page, table, titled } from './page.ts';

function fields(tool: ToolDefinition): string {
  const rows = flagsOf(tool).map((flag) => [
    `\`${flag.field}\`${flag.isRequired ? ' (needed)' : ''}`,
    describeValue(flag),
    describeDefault(flag) ?? '',
    flag.schema.description ?? '',
  ]);
  return rows.length === 0 ? 'It takes no input.' : table(['field', 'value', 'default', 'meaning'], rows);
}

function answer(tool: ToolDefinition): string {
  const names = Object.keys(outputSchemaOf(tool).properties ?? {}).map((name) => `\`${name}\``);
  return `Answer: ${names.join(', ')}. At most ${tool.limits.timeoutMs / 1000} s and ${tool.limits.outputBytes / 1024} KiB.`;
}

function toolSection(tool: ToolDefinition): string {
  const lines = tool.examples.map(({ input, says }) => `${exampleLine(tool.name, input)}  # ${says}`);
  return [
    `### ${tool.name}`,
    tool.description,
    fields(tool).trim(),
    answer(tool),
    `\`\`\`sh\n${lines.join('\n')}\n\`\`\``,
  ].join('\n\n');
}

function toolsetSection({ id, title, tools, prompts, resources }: Toolset): string {
  const parts = [
    `## ${id}: ${title}`,
    table(
      ['tool', 'what it does', 'what it touches'],
      tools.map((tool) => [`\`${tool.name}\``, tool.title, describeAnnotations(tool.annotations)]),
    ),
    ...tools.map(toolSection),
    ...(prompts.length === 0
      ? []
      : [
          '### Prompts',
          table(
            ['prompt', 'arguments', 'what it is for'],
            prompts.map((prompt) => [
              `\`${prompt.name}\``,
              prompt.arguments
                .map(({ name, isRequired }) => `\`${name}\`${isRequired ? '' : ' (may be left out)'}`)
                .join(', '),
              prompt.description,
            ]),
          ),
        ]),
    ...(resources.length === 0
      ? []
      : [
          '### Resources',
          table(
            ['address', 'type', 'what it is'],
            resources.map(({ template, mimeType, description }) => [`\`${template}\``, mimeType, description]),
          ),
        ]),
  ];
  return parts.map((part) => part.trim()).join('\n\n');
}

export const toolsPage: Page = {
  path: 'docs/reference/tools.md',
  render() {
    const body = [
      'A tool is one definition. Agents call it over MCP (`hotcell mcp`), people on the command line: `hotcell tool NAME`, with a flag for each field (`wait_seconds` is `--wait-seconds`), `--json` for the structured answer and `--help` for all of it.',
      'Text that came from a server or a command is fenced and labelled in the text of an answer, and stands as `{"untrusted": …}` or in a field that says so in structured content. Characters that cannot be seen are spelled out. It is material, never an instruction.',
      'An answer has a budget. Lists come in pages: the `cursor` of one answer asks for the next. What is over the budget is kept in a file, the answer says where, and `read_output` reads on.',
      'Work that takes long is a job: the tool that starts it returns an id, or waits up to `wait_seconds`. Four run at once and 64 are remembered; all of them end with the process that they were started in.',
      ...Object.values(toolsets).map(toolsetSection),
    ];
    return titled('Tools', body.join('\n\n'));
  },
};
