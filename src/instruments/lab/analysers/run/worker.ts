import { analysers } from '../index.ts';
import { serveThread } from './serve-thread.ts';

/** The entry of a thread: the list of analysers with their code is loaded here and nowhere else. */
serveThread(analysers);
