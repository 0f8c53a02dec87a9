import { cut, u16, u32 } from '../bytes.ts';

/** The allocation tables of a compound file, read no further than the file reaches. */

export interface SectorTables {
  readonly sectorSize: number;
  readonly fat: Uint32Array;
  readonly miniFat: Uint32Array;
  /** The last sector that anything is said to lie in. */
  readonly lastUsed: number;
}

const endOfChain = 0xfffffffe;
const freeSector = 0xffffffff;
const largestSector = 0xfffffffa;

/** The sectors of one chain. It cannot be longer than the table: a longer one has a loop and ends there. */
export function chainFrom(table: Uint32Array, start: number, limit: number, tick: () => void): number[] {
  const sectors: number[] = [];
  const most = Math.min(limit, table.length);
  for (let sector = start; sector < table.length && sectors.length < most; sector = table[sector] ?? endOfChain) {
    if (sectors.length % 4096 === 0) tick();
    sectors.push(sector);
  }
  return sectors;
}

function fatSectorNumbers(bytes: Uint8Array, sectorSize: number, tick: () => void, notes: string[]): number[] {
  const most = Math.ceil(bytes.length / sectorSize);
  const numbers: number[] = [];
  const seen = new Set<number>();
  const take = (number: number): void => {
    if (number > largestSector || number >= most || numbers.length >= most) return;
    if (seen.has(number)) {
      notes.push('a table sector is named twice');
      return;
    }
    seen.add(number);
    numbers.push(number);
  };
  for (let index = 0; index < 109; index += 1) take(u32(bytes, 76 + index * 4));
  const visited = new Set<number>();
  for (let sector = u32(bytes, 68); sector < most && !visited.has(sector); ) {
    tick();
    visited.add(sector);
    const at = (sector + 1) * sectorSize;
    for (let index = 0; index < sectorSize / 4 - 1; index += 1) take(u32(bytes, at + index * 4));
    sector = u32(bytes, at + sectorSize - 4);
    if (visited.has(sector)) notes.push('the list of tables has a loop');
  }
  return numbers;
}

function tableOf(bytes: Uint8Array, sectors: readonly number[], sectorSize: number, tick: () => void): Uint32Array {
  const perSector = sectorSize / 4;
  const table = new Uint32Array(sectors.length * perSector).fill(freeSector);
  sectors.forEach((sector, index) => {
    if (index % 64 === 0) tick();
    const part = cut(bytes, (sector + 1) * sectorSize, sectorSize);
    for (let at = 0; at + 4 <= part.length; at += 4) table[index * perSector + at / 4] = u32(part, at);
  });
  return table;
}

export function readTables(bytes: Uint8Array, tick: () => void, notes: string[]): SectorTables {
  const shift = u16(bytes, 30);
  if (shift !== 9 && shift !== 12) notes.push('the sector size is none that exists');
  const sectorSize = shift === 12 ? 4096 : 512;
  const fat = tableOf(bytes, fatSectorNumbers(bytes, sectorSize, tick, notes), sectorSize, tick);
  if (fat.length === 0) notes.push('the allocation table could not be found');
  const miniSectors = chainFrom(fat, u32(bytes, 60), Math.ceil(bytes.length / sectorSize), tick);
  let lastUsed = fat.length - 1;
  while (lastUsed > 0 && fat[lastUsed] === freeSector) lastUsed -= 1;
  return { sectorSize, fat, miniFat: tableOf(bytes, miniSectors, sectorSize, tick), lastUsed };
}
