import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

/** Two random halves around a fixed middle; either half proves it. */
export const openaiKey: Vendor = {
  id: 'openai-key',
  title: 'OpenAI project key',
  kind: 'service',
  make: (random) => {
    const [head, tail] = [random.text(alphabets.base64url, 74), random.text(alphabets.base64url, 74)];
    return { token: `sk-proj-${head}T3BlbkFJ${tail}`, needles: [Buffer.from(head), Buffer.from(tail)] };
  },
};
