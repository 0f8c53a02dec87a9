import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BatchSender, type Counters } from '../batches.ts';
import type { FromWatcher, ToWatcher } from './messages.ts';
import { Watcher } from './watcher.ts';

/** The thread that serves the notifications. It never returns to its event loop: whoever waits for us waits here. */

/** How long processes may outlive the order to stop. */
const stopLimitMs = 10_000;

function run(): void {
  if (parentPort === null) return;
  const port = parentPort;
  const say = (message: FromWatcher): void => port.postMessage(message);
  const sender = new BatchSender<Uint8Array>(port, workerData as Counters);
  const watcher = new Watcher((chunk) => {
    sender.add(chunk);
    sender.flush();
  });
  let stopAtMs = Number.POSITIVE_INFINITY;

  const hear = (message: ToWatcher): void => {
    if (message.type === 'stop') stopAtMs = Date.now() + stopLimitMs;
    else {
      watcher.listen(message.listener);
      say({ type: 'listening', listener: message.listener });
    }
  };
  const hearAll = (): void => {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      hear(next.message as ToWatcher);
    }
  };

  say({ type: 'ready', waker: watcher.waker });
  // The box is being made meanwhile. Whoever wakes us during this is not noticed, so messages are looked for after it.
  watcher.warm();
  hearAll();
  while (stopAtMs === Number.POSITIVE_INFINITY || (watcher.hasListeners && Date.now() < stopAtMs)) {
    watcher.turn();
    if (watcher.isWoken) hearAll();
    for (const listener of watcher.gone) {
      say({ type: 'gone', listener });
      watcher.drop(listener);
    }
  }
  say({ type: 'end', counts: watcher.close() });
  port.close();
}

run();
