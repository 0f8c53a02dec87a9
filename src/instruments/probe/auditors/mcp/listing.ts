import { asArray, asObject, asString } from '../../../../base/json-shape.ts';
import { quoteText, showExchange } from '../client/index.ts';
import type { Access } from './access.ts';
import { masked, showAgain } from './show-again.ts';
import { call, type Heard, type McpInquiry } from './talk.ts';
import { tellingName } from './telling-names.ts';

/** What is offered, by name; nothing of it is ever called or read. */

const mostPages = 5;
const mostNames = 500;
const namesTold = 100;

interface Listed {
  readonly names: readonly string[];
  readonly first: Heard | null;
}

async function listNames(
  inquiry: McpInquiry,
  access: Access,
  kind: 'tools' | 'resources' | 'prompts',
): Promise<Listed> {
  const names: string[] = [];
  let first: Heard | null = null;
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const heard = await call(inquiry, `${kind}/list`, cursor === undefined ? {} : { cursor }, access.usual);
    first ??= heard;
    for (const item of asArray(heard?.result?.[kind])) {
      const { name, uri } = asObject(item);
      const text = asString(name) ?? asString(uri);
      if (text !== undefined && names.length < mostNames) names.push(quoteText(text, 100));
    }
    const next = asString(heard?.result?.nextCursor);
    if (next === undefined || next === '' || next === cursor || next.length > 4096) break;
    cursor = next;
  }
  return { names, first };
}

function claimTools(inquiry: McpInquiry, access: Access, { names, first }: Listed): void {
  if (first === null) return;
  const telling = names.flatMap((name) => {
    const what = tellingName(name);
    return what === null ? [] : [`${name} (${what})`];
  });
  const detail = `tools/list without any credential gives ${names.length} tools: ${names.slice(0, 20).join(', ')}.`;
  inquiry.claim({
    rule: 'tools-without-authentication',
    at: inquiry.input.url,
    detail:
      telling.length === 0
        ? detail
        : `${detail} By their names some of them reach far: ${telling.slice(0, 10).join(', ')}.`,
    evidence: showExchange(masked(first.request), first.answer, { bodyBytes: 300 }),
    repro: showAgain(inquiry, access, first.request),
    ...(telling.length === 0 ? {} : { severity: 'critical' as const }),
  });
}

export async function checkListing(inquiry: McpInquiry, access: Access): Promise<void> {
  const tools = await listNames(inquiry, access, 'tools');
  const resources = await listNames(inquiry, access, 'resources');
  const prompts = await listNames(inquiry, access, 'prompts');
  inquiry.fact('tools', tools.names.slice(0, namesTold));
  inquiry.fact('resources', resources.names.length);
  inquiry.fact('prompts', prompts.names.length);
  if (!access.isOpen) return;
  if (tools.names.length > 0) claimTools(inquiry, access, tools);
  if (resources.names.length === 0 || resources.first === null) return;
  inquiry.claim({
    rule: 'resources-without-authentication',
    at: inquiry.input.url,
    detail: `resources/list without any credential gives ${resources.names.length} resources.`,
    evidence: showExchange(masked(resources.first.request), resources.first.answer, { bodyBytes: 200 }),
    repro: showAgain(inquiry, access, resources.first.request),
  });
}
