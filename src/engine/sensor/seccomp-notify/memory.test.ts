import fc from 'fast-check';
import koffi from 'koffi';
import { describe, expect, it } from 'vitest';
import { addressOf } from './kernel.ts';
import { CallerMemory, splitAtPages } from './memory.ts';

describe('splitAtPages', () => {
  it('covers a range with pieces of which none crosses a page', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 40 }), fc.nat({ max: 200_000 }), (address, length) => {
        let at = address;
        for (const piece of splitAtPages(address, length)) {
          expect(piece).toBeGreaterThan(0);
          expect(Math.floor(at / 4096)).toBe(Math.floor((at + piece - 1) / 4096));
          at += piece;
        }
        expect(at).toBe(address + length);
      }),
    );
  });
});

const library = koffi.load(null);
const map = library.func('size_t mmap(size_t address, size_t length, int protection, int flags, int fd, long offset)');
const unmap = library.func('int munmap(size_t address, size_t length)');

/** A page, and nothing behind it. */
function lastPage(): { readonly address: number; readonly bytes: Buffer } {
  const address = Number(map(0, 8192, 3, 0x22, -1, 0));
  unmap(address + 4096, 4096);
  return { address, bytes: Buffer.from(koffi.view(BigInt(address), 4096)) };
}

describe('CallerMemory', () => {
  const target = Buffer.alloc(256 * 1024, 0x2e);
  const memory = new CallerMemory(target);
  const offset = 1000;
  const read = (length: number): string => target.toString('latin1', offset, offset + length);

  it.each([0, 1, 255, 256, 257, 4095, 8191, 100_000])('reads a text of %i bytes', (length) => {
    const text = Buffer.from(`${'x'.repeat(length)}\0more`);
    expect(memory.text(process.pid, Number(addressOf(text)), 128 * 1024, offset)).toBe(length);
    expect(read(length)).toBe('x'.repeat(length));
  });

  it('cuts a text at its cap', () => {
    const text = Buffer.from(`${'x'.repeat(5000)}\0`);
    expect(memory.text(process.pid, Number(addressOf(text)), 4096, offset)).toBe(-1 - 4096);
  });

  it('reads up to the end of what is mapped', () => {
    const { address, bytes } = lastPage();
    bytes.fill(0x79);
    bytes.write('end\0', 4092);
    expect(memory.text(process.pid, address + 4092, 4096, offset)).toBe(3);
    expect(read(3)).toBe('end');
    bytes[4095] = 0x79;
    expect(memory.text(process.pid, address + 4092, 4096, offset)).toBe(-1 - 4);
    expect(memory.bytes(process.pid, address + 4000, 4096, offset)).toBe(96);
    expect(memory.bytes(process.pid, address + 4096, 16, offset)).toBe(0);
  });

  it.each([0, 1, -1, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])('finds nothing at %d', (address) => {
    expect(memory.bytes(process.pid, address, 16, offset)).toBe(0);
    expect(memory.text(process.pid, address, 16, offset)).toBe(-1);
  });

  it('finds nothing in a process that is not there', () => {
    expect(memory.bytes(4_194_303, Number(addressOf(target)), 16, offset)).toBe(0);
  });
});
