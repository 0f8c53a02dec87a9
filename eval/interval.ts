/** The 95 % interval of Wilson for a share: it stays sensible for the few packages that a corpus has. */
export function wilson(hits: number, total: number): { readonly low: number; readonly high: number } {
  if (total === 0) return { low: 0, high: 1 };
  const z = 1.96;
  const share = hits / total;
  const middle = share + (z * z) / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  const scale = 1 + (z * z) / total;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

export function showShare(hits: number, total: number): string {
  const { low, high } = wilson(hits, total);
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return `${hits} of ${total} (${total === 0 ? 'none' : percent(hits / total)}, 95 % interval ${percent(low)} to ${percent(high)})`;
}
