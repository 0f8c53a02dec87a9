import { z } from 'zod';
import { Store } from './store.ts';

/** A process of its own for the tests: adds to one counter, and says each number that is kept. */

const [file = '', times = '0', documents = '1'] = process.argv.slice(2);
const store = Store.open(file);
const counters = store.collection({ name: 'counters', schema: z.number().int(), mostDocuments: 10 });
for (let at = 0; at < Number(times); at += 1) {
  const key = `counter-${at % Number(documents)}`;
  const kept = counters.change(key, (before) => (before ?? 0) + 1);
  process.stdout.write(`${kept?.value}\n`);
}
store.close();
