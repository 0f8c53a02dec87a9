import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { exitCodes, UsageError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { StoreHandle } from '../../../engine/store/contract.ts';
import {
  approveHeld,
  forgetPins,
  type HeldChange,
  listHeld,
  listPinned,
  openAsks,
} from '../../../instruments/guard/tool-pins/index.ts';
import { ledgerOptions } from '../../settings/index.ts';
import type { Door } from '../definition.ts';
import { count, formatJson } from '../terminal/index.ts';
import { renderApproved, renderHeld, renderPinned } from './render.ts';
import { type ApproveOptions, type ApproveWish, readApproveWish } from './wishes.ts';

/** `hotcell approve`: what a person decides is in the ledger before it holds. */

interface Place {
  readonly store: StoreHandle;
  readonly door: Door;
  readonly isJson: boolean;
}

type WishFor<Is extends ApproveWish['is']> = Extract<ApproveWish, { is: Is }>;

function safe(text: string): string {
  return forTerminal(untrusted(text, 300));
}

async function record({ door }: Place, action: string, server: string, details: JsonObject): Promise<void> {
  const { Ledger } = await import('../../../engine/ledger/index.ts');
  const onProblem = (problem: string): void => void door.stderr.write(`hotcell: ledger: ${problem}\n`);
  await using ledger = await Ledger.open({ ...ledgerOptions(door.settings.values), onProblem });
  await ledger.append({
    instrument: 'guard',
    action,
    verdict: 'allowed',
    session: randomBytes(8).toString('hex'),
    server,
    details,
  });
}

function list({ server }: WishFor<'list'>, { store, door, isJson }: Place): number {
  const changes = listHeld(store, server);
  const waiting = openAsks(store)
    .list(server)
    .filter((ask) => ask.waiting > 0);
  if (isJson) door.stdout.write(formatJson({ held: changes, asked: waiting }));
  else door.stdout.write(renderHeld(changes, waiting, door.terminal));
  return changes.length + waiting.length === 0 ? exitCodes.clean : exitCodes.findings;
}

function show({ server }: WishFor<'show'>, { store, door, isJson }: Place): number {
  const [parts, asks] = [listPinned(store, server), openAsks(store).list(server)];
  door.stdout.write(isJson ? formatJson({ pinned: parts, asks }) : renderPinned(parts, asks, door.terminal));
  return exitCodes.clean;
}

/** Instructions have no name of their own. */
function isCalled({ part, name }: HeldChange, wanted: string): boolean {
  return part === 'instructions' ? wanted === part : name === wanted;
}

function choose({ server, tools, ids, isAll }: WishFor<'approve'>, store: StoreHandle): readonly HeldChange[] {
  const held = listHeld(store, server);
  const unknown = [
    ...tools.filter((tool) => !held.some((change) => isCalled(change, tool))).map((tool) => `--tool ${tool}`),
    ...ids.filter((id) => !held.some((change) => change.id === id)).map((id) => `--id ${id}`),
  ];
  if (held.length === 0 || unknown.length > 0) {
    const what =
      held.length === 0 ? `nothing of ${safe(server)} is held back` : `not held back: ${safe(unknown.join(', '))}`;
    throw new UsageError(what, { hint: 'hotcell approve --list shows what is, hotcell approve --show what is pinned' });
  }
  return held.filter((change) => isAll || tools.some((tool) => isCalled(change, tool)) || ids.includes(change.id));
}

async function approve(wish: WishFor<'approve'>, place: Place): Promise<number> {
  const { store, door, isJson } = place;
  const chosen = choose(wish, store);
  const details = chosen.map(({ id, subject, part, name, is }) => ({ id, subject, part, name: safe(name), is }));
  await record(place, 'pin.approve', wish.server, { changes: details });
  // What came while this was written down is another change, with another id.
  const ids = new Set(chosen.map(({ id }) => id));
  const approved = approveHeld(store, wish.server, ({ id }) => ids.has(id));
  const missed = chosen.length - approved.length;
  if (isJson) door.stdout.write(formatJson({ approved, missed }));
  else {
    door.stdout.write(renderApproved(approved, door.terminal));
    door.stdout.write(`${count(approved.length, 'change')} of ${safe(wish.server)} approved\n`);
    if (missed > 0) door.stderr.write(`hotcell: ${count(missed, 'change')} is no longer as it was: look again\n`);
  }
  return missed === 0 ? exitCodes.clean : exitCodes.findings;
}

async function forget({ server }: WishFor<'forget'>, place: Place): Promise<number> {
  const { store, door, isJson } = place;
  const pinned = listPinned(store, server);
  if (pinned.length === 0) throw new UsageError(`nothing is pinned of ${safe(server)}`);
  const parts = pinned.map(({ subject, part, entries }) => ({ subject, part, entries: entries.length }));
  await record(place, 'pin.forget', server, { parts });
  forgetPins(store, server);
  door.stdout.write(isJson ? formatJson({ forgotten: parts }) : `what was pinned of ${safe(server)} is forgotten\n`);
  return exitCodes.clean;
}

async function answer({ server, tools, uses }: WishFor<'ask'>, place: Place): Promise<number> {
  const { store, door, isJson } = place;
  const asks = openAsks(store);
  await record(place, uses === 'none' ? 'ask.forget' : 'ask.approve', server, { tools: tools.map(safe), uses });
  for (const tool of tools) {
    if (uses === 'none') asks.forget(server, tool);
    else asks.allow(server, tool, uses);
  }
  const words = { 1: 'may be called once', always: 'may be called always', none: 'is asked about again' } as const;
  if (isJson) door.stdout.write(formatJson({ server, tools, uses }));
  else door.stdout.write(tools.map((tool) => `${safe(tool)} of ${safe(server)} ${words[uses]}\n`).join(''));
  return exitCodes.clean;
}

export async function runApproveCommand(
  options: ApproveOptions,
  words: readonly string[],
  door: Door,
): Promise<number> {
  const wish = readApproveWish(options, words);
  const { Store } = await import('../../../engine/store/index.ts');
  using store = Store.open(join(door.settings.values.home, 'guard', 'state.sqlite'));
  const place: Place = { store, door, isJson: options.json };
  switch (wish.is) {
    case 'list':
      return list(wish, place);
    case 'show':
      return show(wish, place);
    case 'approve':
      return await approve(wish, place);
    case 'forget':
      return await forget(wish, place);
    case 'ask':
      return await answer(wish, place);
  }
}
