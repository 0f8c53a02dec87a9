import type { Cell } from '../../../../../engine/cell/index.ts';
import { shellWord } from '../in-box.ts';
import type { NotRaised } from './contract.ts';

/** A program that only says it is there: whatever it is asked, it prints its text and is content. */

const plainName = /^[A-Za-z0-9][\w.+-]{0,63}$/;

export function stubFolder(cell: Cell): string {
  return `${cell.box.folders.home}/.local/bin`;
}

export async function putStub(cell: Cell, name: string, text: string): Promise<NotRaised | null> {
  if (!plainName.test(name)) return { problem: `no program can be called ${JSON.stringify(name.slice(0, 80))}` };
  const script = `#!/bin/sh\nprintf '%s' ${shellWord(text.replaceAll('\0', ''))}\n`;
  await cell.box.put(`${stubFolder(cell)}/${name}`, Buffer.from(script), 0o755);
  return null;
}
