/** Locality-sensitive hashes over trigrams in a window of five bytes, in the form `T1…` of 70 digits. */

const pearson = Uint8Array.from(
  `1 87 49 12 176 178 102 166 121 193 6 84 249 230 44 163 14 197 213 181 161 85 218 80 64 239 24 226 236 142 38 200
  110 177 104 103 141 253 255 50 77 101 81 18 45 96 31 222 25 107 190 70 86 237 240 34 72 242 20 214 244 227 149 235
  97 234 57 22 60 250 82 175 208 5 127 199 111 62 135 248 174 169 211 58 66 154 106 195 245 171 17 187 182 179 0 243
  132 56 148 75 128 133 158 100 130 126 91 13 153 246 216 219 119 68 223 78 83 88 201 99 122 11 92 32 136 114 52 10
  138 30 48 183 156 35 61 26 143 74 251 94 129 162 63 152 170 7 115 167 241 206 3 150 55 59 151 220 90 53 23 131
  125 173 15 238 79 95 89 16 105 137 225 224 217 160 37 123 118 73 2 157 46 116 9 145 134 228 207 212 202 215 69 229
  27 188 67 124 168 252 42 4 29 108 21 247 19 205 39 203 233 40 186 147 198 192 155 33 164 191 98 204 165 180 117 76
  140 36 210 172 41 54 159 8 185 232 113 196 231 47 146 120 51 65 28 144 254 221 93 189 194 139 112 43 71 109 184 209`
    .split(/\s+/)
    .map(Number),
);

const bucketCount = 128;
const leastBytes = 50;
const mostBytes = 0xffffffff;

interface Counted {
  readonly buckets: Uint32Array;
  readonly checksum: number;
}

function countTrigrams(bytes: Uint8Array, tick: () => void): Counted {
  const buckets = new Uint32Array(256);
  const step = (state: number, byte: number): number => pearson[state ^ byte] ?? 0;
  const starts = [2, 3, 5, 7, 11, 13].map((salt) => pearson[salt] ?? 0);
  const [start2 = 0, start3 = 0, start5 = 0, start7 = 0, start11 = 0, start13 = 0] = starts;
  const start0 = pearson[0] ?? 0;
  let checksum = 0;
  const add = (bucket: number): void => {
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  };
  for (let at = 4; at < bytes.length; at += 1) {
    if ((at & 0xffff) === 0) tick();
    const w0 = bytes[at] ?? 0;
    const w1 = bytes[at - 1] ?? 0;
    const w2 = bytes[at - 2] ?? 0;
    const w3 = bytes[at - 3] ?? 0;
    const w4 = bytes[at - 4] ?? 0;
    checksum = step(step(step(start0, w0), w1), checksum);
    add(step(step(step(start2, w0), w1), w2));
    add(step(step(step(start3, w0), w1), w3));
    add(step(step(step(start5, w0), w2), w3));
    add(step(step(step(start7, w0), w2), w4));
    add(step(step(step(start11, w0), w1), w4));
    add(step(step(step(start13, w0), w3), w4));
  }
  return { buckets: buckets.subarray(0, bucketCount), checksum };
}

/** The length on a scale that is finer where files are small. */
function lengthStep(size: number): number {
  const value =
    size <= 656
      ? Math.log(size) / Math.log(1.5)
      : size <= 3199
        ? Math.log(size) / Math.log(1.3) - 8.72777
        : Math.log(size) / Math.log(1.1) - 62.5472;
  return Math.floor(value) & 255;
}

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');
const swapped = (value: number): string => hex(((value & 15) << 4) | (value >> 4));

/** Null where the form has no answer: less than 50 bytes, or too little variety. */
export function tlsh(bytes: Uint8Array, tick: () => void = () => undefined): string | null {
  if (bytes.length < leastBytes || bytes.length > mostBytes) return null;
  const { buckets, checksum } = countTrigrams(bytes, tick);
  const sorted = buckets.toSorted();
  const [quarter = 0, half = 0, threeQuarters = 0] = [sorted[31], sorted[63], sorted[95]];
  const used = buckets.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  if (threeQuarters === 0 || used <= bucketCount / 2) return null;
  const ratio = (part: number): number => Math.floor(Math.fround((part * 100) / threeQuarters)) % 16;
  let body = '';
  for (let byte = 31; byte >= 0; byte -= 1) {
    let code = 0;
    for (let index = 0; index < 4; index += 1) {
      const value = buckets[byte * 4 + index] ?? 0;
      const level = value > threeQuarters ? 3 : value > half ? 2 : value > quarter ? 1 : 0;
      code |= level << (index * 2);
    }
    body += hex(code);
  }
  return `T1${swapped(checksum)}${swapped(lengthStep(bytes.length))}${hex((ratio(quarter) << 4) | ratio(half))}${body}`;
}

const lengthRange = 256;
const ratioRange = 16;
const stepCost = 12;
const farthest = 6;

function around(left: number, right: number, range: number): number {
  const apart = Math.abs(left - right);
  return Math.min(apart, range - apart);
}

function ratioCost(left: number, right: number): number {
  const apart = around(left, right, ratioRange);
  return apart <= 1 ? apart : (apart - 1) * stepCost;
}

function codeCost(left: number, right: number): number {
  let cost = 0;
  for (let shift = 0; shift < 8; shift += 2) {
    const apart = Math.abs(((left >> shift) & 3) - ((right >> shift) & 3));
    cost += apart === 3 ? farthest : apart;
  }
  return cost;
}

function parse(text: string): Uint8Array | null {
  const digits = /^(?:T1)?([0-9a-f]{70})$/i.exec(text)?.[1];
  return digits === undefined ? null : Buffer.from(digits, 'hex');
}

const unswap = (value: number): number => ((value & 15) << 4) | (value >> 4);

/** How far apart two files are by their TLSH: 0 is alike, above 200 nothing in common; null when one is no hash. */
export function tlshDistance(left: string, right: string): number | null {
  const [one, two] = [parse(left), parse(right)];
  if (one === null || two === null) return null;
  const byte = (from: Uint8Array, at: number): number => from[at] ?? 0;
  const lengths = around(unswap(byte(one, 1)), unswap(byte(two, 1)), lengthRange);
  let cost = lengths <= 1 ? lengths : lengths * stepCost;
  cost += ratioCost(byte(one, 2) >> 4, byte(two, 2) >> 4) + ratioCost(byte(one, 2) & 15, byte(two, 2) & 15);
  cost += byte(one, 0) === byte(two, 0) ? 0 : 1;
  for (let at = 3; at < 35; at += 1) cost += codeCost(byte(one, at), byte(two, at));
  return cost;
}
