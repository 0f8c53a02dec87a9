import type { Json } from '../../contract.ts';
import type { ByteView } from '../byte-view.ts';
import { readExtraData } from './extra-data.ts';
import { pathOf, readIdList, type ShellItem } from './id-list.ts';
import { type LinkInfo, readLinkInfo } from './link-info.ts';
import { fileAttributes, linkFlags, showCommands } from './tables.ts';
import { fileTime, guidText } from './times.ts';

export interface Shortcut {
  readonly flags: readonly string[];
  readonly attributes: readonly string[];
  readonly times: { readonly created?: string; readonly accessed?: string; readonly written?: string };
  readonly targetSize: number;
  readonly iconIndex: number;
  readonly show: string;
  readonly hotkey?: string;
  readonly items: readonly ShellItem[];
  readonly info?: LinkInfo;
  readonly strings: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, Json>>;
  /** The best answer to what it starts. */
  readonly target: string;
  readonly end: number;
  readonly notes: readonly string[];
}

const stringOrder = ['name', 'relative_path', 'working_directory', 'arguments', 'icon_location'] as const;
const shellLink = '00021401-0000-0000-c000-000000000046';

function bitNames(value: number, names: readonly string[]): string[] {
  return names.filter((_, index) => (value & (1 << index)) !== 0);
}

function hotkeyText(low: number, high: number): string | undefined {
  if (low === 0) return undefined;
  const keys = [...['Shift', 'Control', 'Alt'].filter((_, index) => (high & (1 << index)) !== 0)];
  const key =
    low >= 0x70 && low <= 0x87
      ? `F${low - 0x6f}`
      : /[0-9A-Z]/.test(String.fromCharCode(low))
        ? String.fromCharCode(low)
        : `0x${low.toString(16)}`;
  return [...keys, key].join('+');
}

function times(view: ByteView): Shortcut['times'] {
  const [created, accessed, written] = [28, 36, 44].map((at) => fileTime(view.u64(at)));
  return {
    ...(created === undefined ? {} : { created }),
    ...(accessed === undefined ? {} : { accessed }),
    ...(written === undefined ? {} : { written }),
  };
}

export function readShortcut(view: ByteView): Shortcut | undefined {
  if (view.u32(0) !== 0x4c || guidText(view.slice(4, 16)) !== shellLink) return undefined;
  const notes: string[] = [];
  const flags = bitNames(view.u32(20), linkFlags);
  const has = (flag: (typeof linkFlags)[number]): boolean => flags.includes(flag);
  let at = 0x4c;
  let items: ShellItem[] = [];
  if (has('has_target_id_list')) {
    items = readIdList(view, at + 2, view.u16(at));
    at += 2 + view.u16(at);
  }
  let info: LinkInfo | undefined;
  if (has('has_link_info')) {
    info = readLinkInfo(view, at);
    if (info.size < 28) notes.push('the link information is shorter than its header');
    at += Math.max(4, info.size);
  }
  const strings: Record<string, string> = {};
  for (const name of stringOrder) {
    if (!has(`has_${name}`)) continue;
    const count = view.u16(at);
    const length = has('is_unicode') ? count * 2 : count;
    if (!view.fits(at, 2 + length)) notes.push(`the text ${name} is cut short`);
    strings[name] = has('is_unicode') ? view.utf16(at + 2, length) : view.latin1(at + 2, length);
    at += 2 + length;
  }
  if (at > view.length) notes.push('the file ends inside the shortcut');
  const { blocks, end } = readExtraData(view, Math.min(at, view.length));
  const environment = typeof blocks.environment === 'string' ? blocks.environment : '';
  const hotkey = hotkeyText(view.u8(64), view.u8(65));
  const target = [info?.localPath, environment, info?.share, pathOf(items), strings.relative_path].find((one) => one);
  return {
    flags,
    attributes: bitNames(view.u32(24), fileAttributes),
    times: times(view),
    targetSize: view.u32(52),
    iconIndex: view.u32(56) | 0,
    show: showCommands[view.u32(60)] ?? `0x${view.u32(60).toString(16)}`,
    ...(hotkey === undefined ? {} : { hotkey }),
    items,
    ...(info === undefined ? {} : { info }),
    strings,
    extra: blocks,
    target: target ?? '',
    end,
    notes,
  };
}
