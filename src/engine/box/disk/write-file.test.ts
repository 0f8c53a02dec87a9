import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFolder } from './beneath.ts';
import { whyNotWritten, writeFileIn } from './write-file.ts';

let root = '';
let folder = -1;
beforeEach(() => {
  root = mkdtempSync('/tmp/hotcell-write-file-');
  folder = openFolder(root);
});
afterEach(() => {
  closeSync(folder);
  rmSync(root, { recursive: true });
});

const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const write = (text: string, mode = 0o644): void => writeFileIn(folder, 'x', Buffer.from(text), mode, owner);

/** Other tests of the same process have files of their own open. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
    } catch {
      return false;
    }
  }).length;
}

function refusal(): string {
  try {
    write('put');
    return 'written';
  } catch (error) {
    return whyNotWritten(error);
  }
}

describe('writing into a folder of a box', () => {
  it.each([0o644, 0o600, 0o755, 0o444, 0o777, 0o4755, 0o000])('gives a new file mode %i', (mode) => {
    write('content', mode);
    expect(statSync(join(root, 'x')).mode & 0o7777).toBe(mode);
    expect(statSync(join(root, 'x')).size).toBe(7);
  });

  it('replaces a longer file, with its mode', () => {
    writeFileSync(join(root, 'x'), 'something longer', { mode: 0o600 });
    write('short', 0o755);
    expect(readFileSync(join(root, 'x'), 'utf8')).toBe('short');
    expect(statSync(join(root, 'x')).mode & 0o7777).toBe(0o755);
  });

  it('writes an empty file, and one of several megabytes', () => {
    write('');
    expect(statSync(join(root, 'x')).size).toBe(0);
    const text = 'abc'.repeat(2 ** 20);
    write(text);
    expect(readFileSync(join(root, 'x'), 'utf8') === text).toBe(true);
  });

  it.runIf(owner.uid === 0)('gives the file to its owner', () => {
    writeFileIn(folder, 'x', Buffer.from('x'), 0o644, { uid: 12_345, gid: 12_346 });
    expect(statSync(join(root, 'x'))).toMatchObject({ uid: 12_345, gid: 12_346 });
  });

  it.each([
    ['a link to a file', () => symlinkSync('elsewhere', join(root, 'x')), /link/],
    ['a link to nothing', () => symlinkSync('nothing', join(root, 'x')), /link/],
    ['a folder', () => mkdirSync(join(root, 'x')), /folder/],
    ['a pipe', () => execFileSync('mkfifo', [join(root, 'x')]), /not a plain file/],
  ])('refuses %s', (_, plant, reason) => {
    writeFileSync(join(root, 'elsewhere'), 'untouched', { mode: 0o600 });
    plant();
    const before = openDescriptors();
    expect(refusal()).toMatch(reason);
    expect(openDescriptors()).toBe(before);
    expect(readFileSync(join(root, 'elsewhere'), 'utf8')).toBe('untouched');
    expect(statSync(join(root, 'elsewhere')).mode & 0o7777).toBe(0o600);
    expect(readdirSync(root).toSorted()).toEqual(['elsewhere', 'x']);
  });

  it('does not talk to whoever waits at the other end of a pipe', () => {
    execFileSync('mkfifo', ['-m', '600', join(root, 'x')]);
    const reader = openSync(join(root, 'x'), constants.O_RDONLY | constants.O_NONBLOCK);
    expect(refusal()).toMatch(/not a plain file/);
    expect(readFileSync(reader, 'utf8')).toBe('');
    closeSync(reader);
    expect(statSync(join(root, 'x')).mode & 0o777).toBe(0o600);
  });

  it('says why without repeating a name that may be hostile', () => {
    let message = '';
    try {
      writeFileIn(folder, `\u001b[2J${'x'.repeat(300)}`, Buffer.from('x'), 0o644, owner);
    } catch (error) {
      message = whyNotWritten(error);
    }
    expect(message).toBe('the name is too long');
  });
});
