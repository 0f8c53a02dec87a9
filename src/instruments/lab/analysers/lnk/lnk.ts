import type { Analyser, AnalyserInput, Json } from '../../contract.ts';
import { makeByteView } from '../byte-view.ts';
import { type Draft, draftResult, excerpt } from '../draft.ts';
import { addScript } from '../script/add-script.ts';
import { documentIcon, interpreters, rules } from './rules.ts';
import { readShortcut, type Shortcut } from './shortcut.ts';

const unusualSize = 16 * 1024;
const shownCharacters = 260;

function addFindings(draft: Draft, link: Shortcut, size: number): void {
  const { target, strings } = link;
  const passed = strings.arguments ?? '';
  const command = `${target} ${passed}`.trim();
  const program =
    interpreters.exec(target) ?? interpreters.exec(strings.relative_path ?? '') ?? interpreters.exec(passed);
  if (program !== null) draft.finding(rules.interpreter, 'target', command);
  if (passed !== '') draft.finding(rules.arguments, 'arguments', passed.trim());
  if (/\s{32,}/.test(passed))
    draft.finding(rules.padded, 'arguments', `${/^\s*/.exec(passed)?.[0].length} blanks first: ${passed.trim()}`);
  if (passed.trim().length > shownCharacters)
    draft.finding(rules.long, 'arguments', `${passed.length} characters: ${passed.trim()}`);
  if (/(?:https?|ftp|file):\/\/|\\\\[\w.-]+(?:@\w+)?\\/i.test(command))
    draft.finding(rules.address, 'target and arguments', command);
  const icon = strings.icon_location ?? '';
  if (program !== null && documentIcon.test(icon)) draft.finding(rules.icon, 'icon', `${icon}, ${link.iconIndex}`);
  if (/^\\\\|^https?:/i.test(icon)) draft.finding(rules.remoteIcon, 'icon', icon);
  if (link.show === 'minimised') draft.finding(rules.hidden, 'show command', link.show);
  if (size > unusualSize) draft.finding(rules.large, 'file', `${size} bytes`);
  if (link.times.written === undefined && link.extra.tracker === undefined)
    draft.finding(rules.zeroTimes, 'header', 'times are zero, no tracker');
}

function facts(draft: Draft, link: Shortcut): void {
  const info = link.info;
  draft.fact('flags', link.flags);
  draft.fact('attributes', link.attributes);
  draft.fact('times', { ...link.times });
  draft.fact('target_size', link.targetSize);
  draft.fact('icon_index', link.iconIndex);
  draft.fact('show', link.show);
  draft.fact('hotkey', link.hotkey);
  draft.fact('target', excerpt(link.target));
  const items = link.items.slice(0, 32).map((item): Json => ({ ...item, name: excerpt(item.name, 260) }));
  draft.fact('id_list', items);
  if (info !== undefined) {
    draft.fact('link_info', {
      ...(info.localPath === undefined ? {} : { local_path: excerpt(info.localPath) }),
      ...(info.driveType === undefined ? {} : { drive_type: info.driveType }),
      ...(info.volumeSerial === undefined ? {} : { volume_serial: info.volumeSerial }),
      ...(info.volumeLabel === undefined ? {} : { volume_label: excerpt(info.volumeLabel, 60) }),
      ...(info.share === undefined ? {} : { share: excerpt(info.share) }),
      ...(info.device === undefined ? {} : { device: excerpt(info.device, 60) }),
    });
  }
  draft.fact(
    'strings',
    Object.fromEntries(Object.entries(link.strings).map(([key, text]) => [key, excerpt(text.trim(), 2000)])),
  );
  draft.fact('arguments_length', link.strings.arguments?.length ?? 0);
  draft.fact('extra', link.extra);
}

function work(input: AnalyserInput, draft: Draft, tick: () => void): void {
  const view = makeByteView(input.bytes, true);
  const link = readShortcut(view);
  if (link === undefined) {
    draft.note('not the header of a shortcut');
    return;
  }
  for (const note of link.notes) draft.note(note);
  facts(draft, link);
  addFindings(draft, link, input.bytes.length);
  const command = `${link.target} ${link.strings.arguments ?? ''}`.replaceAll(/\s{2,}/g, ' ').trim();
  draft.text('command', command);
  draft.text(
    'strings',
    [...Object.values(link.strings), link.info?.share ?? '', JSON.stringify(link.extra)].join('\n'),
  );
  if (link.strings.arguments !== undefined) {
    const language = /powershell|pwsh/i.test(link.target) ? 'powershell' : 'batch';
    addScript(draft, { label: 'command', text: command, language, tick });
  }
  const appended = input.bytes.subarray(link.end);
  draft.fact('appended_bytes', appended.length);
  if (appended.length === 0) return;
  const head = Buffer.from(appended.subarray(0, 100)).toString('latin1');
  draft.finding(rules.appended, `offset 0x${link.end.toString(16)}`, `${appended.length} bytes: ${head}`);
  draft.child('appended', appended, 'after the end of the shortcut');
}

export const lnk: Analyser = {
  id: 'lnk',
  title: 'Windows shortcut: target, arguments, machine',
  version: 1,
  kinds: ['lnk'],
  depth: 'quick',
  timeoutMs: 10_000,
  analyse: (input) => draftResult(input, (draft, tick) => work(input, draft, tick)),
};
