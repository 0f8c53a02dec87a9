import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { allowInterrupts, interrupt } from './interrupt.ts';

it('wakes a thread out of a call without a time limit, and nobody is harmed', async () => {
  expect(allowInterrupts()).toBe(true);
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    Promise.all([import(workerData.koffi), import(workerData.interrupt)]).then(([{ default: koffi }, { currentThread }]) => {
      const poll = koffi.load(null).func('int poll(void *entries, unsigned long count, int timeout)');
      parentPort.postMessage(currentThread());
      const result = poll(null, 0, -1);
      parentPort.postMessage([result, koffi.errno()]);
    });`;
  const workerData = {
    koffi: import.meta.resolve('koffi'),
    interrupt: new URL('./interrupt.ts', import.meta.url).href,
  };
  const worker = new Worker(source, { eval: true, workerData });
  const messages: unknown[] = [];
  worker.on('message', (message) => messages.push(message));
  await expect.poll(() => messages.length).toBe(1);
  const [thread] = messages as [number];
  const noEnd = setInterval(() => interrupt(thread), 10);
  const interruptedError = 4;
  await expect.poll(() => messages[1]).toEqual([-1, interruptedError]);
  clearInterval(noEnd);
  await worker.terminate();
});
