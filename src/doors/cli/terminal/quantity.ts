import { gibibyte, kibibyte, mebibyte, minuteMs, secondMs } from '../../../base/limits.ts';

/** Numbers as people read them. */

function short(value: number): string {
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
}

export function formatBytes(bytes: number): string {
  if (bytes >= gibibyte) return `${short(bytes / gibibyte)} GiB`;
  if (bytes >= mebibyte) return `${short(bytes / mebibyte)} MiB`;
  if (bytes >= kibibyte) return `${short(bytes / kibibyte)} KiB`;
  return `${bytes} B`;
}

export function formatMs(ms: number): string {
  if (ms >= 60 * minuteMs) return `${short(ms / minuteMs / 60)} h`;
  if (ms >= minuteMs) return `${short(ms / minuteMs)} min`;
  if (ms >= secondMs) return `${short(ms / secondMs)} s`;
  return `${Math.round(ms)} ms`;
}

/** `1 backend`, `2 backends` */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${amount} ${amount === 1 ? noun : plural}`;
}
