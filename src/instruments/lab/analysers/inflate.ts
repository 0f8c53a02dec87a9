import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

export type InflateForm = 'raw' | 'zlib' | 'gzip';

export interface Inflated {
  readonly bytes: Uint8Array;
  /** True when there was more, or the rest is damaged. */
  readonly cut: boolean;
  readonly problem?: string;
}

const openers = { raw: inflateRawSync, zlib: inflateSync, gzip: gunzipSync };
const mostTries = 14;

function attempt(bytes: Uint8Array, form: InflateForm, maxBytes: number): Uint8Array | string {
  try {
    return openers[form](bytes, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'Z_DATA_ERROR';
  }
}

/**
 * Inflates at most `maxBytes`. What is too large or damaged gives its readable beginning, found by trying shorter inputs:
 * zlib gives nothing at all of a stream that fails.
 */
export function inflateBounded(bytes: Uint8Array, form: InflateForm, maxBytes: number): Inflated {
  const whole = attempt(bytes, form, Math.max(1, maxBytes));
  if (typeof whole !== 'string') return { bytes: whole, cut: false };
  const problem = whole === 'ERR_BUFFER_TOO_LARGE' ? 'larger than the limit' : 'damaged compressed data';
  let best = new Uint8Array(0) as Uint8Array;
  let low = 0;
  let high = bytes.length;
  for (let tries = 0; tries < mostTries && high - low > 1; tries += 1) {
    const middle = (low + high) >>> 1;
    const part = attempt(bytes.subarray(0, middle), form, Math.max(1, maxBytes));
    if (typeof part === 'string') high = middle;
    else {
      low = middle;
      best = part;
    }
  }
  return { bytes: best, cut: true, problem };
}
