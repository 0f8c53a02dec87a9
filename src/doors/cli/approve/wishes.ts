import { UsageError } from '../../../base/errors.ts';

/** What the command line asks for, as one of five things. */

export interface ApproveOptions {
  readonly tool: readonly string[];
  readonly id: readonly string[];
  readonly all: boolean;
  readonly list: boolean;
  readonly show: boolean;
  readonly forget: boolean;
  readonly ask: boolean;
  readonly always: boolean;
  readonly json: boolean;
}

export type ApproveWish =
  | { readonly is: 'list'; readonly server: string | undefined }
  | { readonly is: 'show'; readonly server: string | undefined }
  | { readonly is: 'forget'; readonly server: string }
  | {
      readonly is: 'ask';
      readonly server: string;
      readonly tools: readonly string[];
      readonly uses: 1 | 'always' | 'none';
    }
  | {
      readonly is: 'approve';
      readonly server: string;
      readonly tools: readonly string[];
      readonly ids: readonly string[];
      readonly isAll: boolean;
    };

const longestName = 1000;

export function readApproveWish(options: ApproveOptions, words: readonly string[]): ApproveWish {
  const { tool, id, all, list, show, forget, ask, always } = options;
  const [server] = words;
  if (server !== undefined && (server === '' || server.length > longestName)) throw new UsageError('that is no name');
  const isChoosing = tool.length > 0 || id.length > 0 || all;
  if (always && !ask) throw new UsageError('--always belongs to --ask');
  if ([list, show, ask].filter(Boolean).length > 1) throw new UsageError('--list, --show and --ask exclude each other');
  if ((list || show) && (isChoosing || forget)) throw new UsageError('--list and --show change nothing');
  if (show) return { is: 'show', server };
  if (list || (!isChoosing && !forget && !ask)) return { is: 'list', server };
  if (server === undefined) throw new UsageError('which server?', { hint: 'hotcell approve shows their names' });
  if (ask) {
    if (tool.length === 0 || id.length > 0 || all) throw new UsageError('--ask needs --tool, and nothing else');
    return { is: 'ask', server, tools: tool, uses: forget ? 'none' : always ? 'always' : 1 };
  }
  if (forget) {
    if (isChoosing) throw new UsageError('--forget forgets everything that is pinned of a server');
    return { is: 'forget', server };
  }
  if (all && tool.length + id.length > 0) throw new UsageError('--all is everything: --tool and --id choose');
  return { is: 'approve', server, tools: tool, ids: id, isAll: all };
}
