/** What carries messages to a server and back. It knows frames, and nothing of what they say. */

export interface Outgoing {
  readonly message: Readonly<Record<string, unknown>>;
  /** For transports that have headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A frame that was longer than the cap: its two ends, and how much is missing. */
export interface CutFrame {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly droppedBytes: number;
}

export interface WireListener {
  frame(bytes: Buffer): void;
  cut(frame: CutFrame): void;
  /** More came than a turn may bring; nothing is read until the next one. */
  flooded(): void;
  /** This request will not be answered; `body` is what came instead. */
  failed(id: number, outcome: 'gone' | 'invalid', because: string, body?: Buffer): void;
  /** Something the carrier itself has to tell. */
  noise(content: string): void;
  /** Nothing will come any more. */
  gone(): void;
}

export type Framing = 'lines' | 'content-length';

export interface Wire {
  /** Called once, before anything is sent. */
  listen(listener: WireListener): void;
  /** Never throws: what goes wrong is told to the listener. */
  send(outgoing: Outgoing): void;
  /** A new request begins, with a full budget of bytes. */
  beginTurn(): void;
  /** The request is over for the caller; whatever still waits for its answer may be let go. */
  endTurn(id: number): void;
  /** Bytes that the server has not taken yet. */
  readonly unreadBytes: number;
  /** A frame longer than the cap is arriving right now. */
  readonly isCutting: boolean;
  /** Null where messages have no framing to choose. */
  framing: Framing | null;
  /** Every request after the handshake says which version was agreed. */
  agree(protocolVersion: string): void;
  close(): Promise<void>;
}
