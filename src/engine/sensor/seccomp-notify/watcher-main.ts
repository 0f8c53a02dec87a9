import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { currentThread } from './interrupt.ts';
import type { FromWatcher, ToWatcher } from './messages.ts';
import type { RecordMemory } from './record-memory.ts';
import { rehearse } from './rehearsal.ts';
import { Watcher } from './watcher.ts';

/** The thread that serves the notifications. It never returns to its event loop: whoever waits for us waits here. */

/** How long processes may outlive the order to stop. */
const stopLimitMs = 10_000;

function run(): void {
  if (parentPort === null) return;
  const port = parentPort;
  const say = (message: FromWatcher): void => port.postMessage(message);
  const watcher = new Watcher(workerData as RecordMemory);
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

  rehearse();
  say({ type: 'ready', waker: watcher.waker, thread: currentThread() });
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
