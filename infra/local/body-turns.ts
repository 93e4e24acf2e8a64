import { IncomingMessage } from "node:http";

/** What of all bodies is read in one turn: a millisecond's work, or a few. */
const BYTES_A_TURN = 1024 * 1024;
/** Of those that wait so many go on in a turn, the longest waiting first: each brings a piece or more. */
const BODIES_A_TURN = 16;
/** The turn after one in which so much was read comes after this: 30 MB/s in all, four times what a laptop stores. */
const FULL_TURN_MS = 32;
/** Who sends no more than this waits for no turn. */
const LITTLE_BYTES = 16 * 1024;

/** A request whose body stays in its socket while it is held: a stream that pauses takes two pieces more, which thousands hold at once. */
export class HeldMessage extends IncomingMessage {
  #isHeld = false;

  hold(): void {
    this.#isHeld = true;
    this.pause();
    this.socket.pause();
  }

  go(): void {
    this.#isHeld = false;
    this.socket.resume();
    this.resume();
  }

  override _read(size: number): void {
    if (!this.#isHeld) super._read(size);
  }
}

/** Whether a body comes. */
export interface Flow {
  hold(): void;
  go(): void;
}

/**
 * Has bodies wait for the next turn once enough of all was read in this one: a socket is else read for as long as something has come, and
 * who sends much to many of them would be all that is listened to.
 */
export const openTurns = (): ((incoming: HeldMessage) => Flow) => {
  const waiting: (() => void)[] = [];
  let read = 0;
  let isTurn = false;
  const next = (): void => {
    const resumed = waiting.splice(0, BODIES_A_TURN);
    [read, isTurn] = [0, resumed.length > 0];
    for (const resume of resumed) resume();
    if (isTurn) setImmediate(end);
  };
  const end = (): void => {
    if (read < BYTES_A_TURN) next();
    else setTimeout(next, FULL_TURN_MS);
  };
  return (incoming) => {
    let isHeld = true;
    let own = 0;
    const resume = (): void => {
      if (!isHeld) incoming.go();
    };
    const count = (chunk: Buffer): void => {
      if (!isTurn) setImmediate(end);
      isTurn = true;
      read += chunk.byteLength;
      own += chunk.byteLength;
      giveBack(chunk);
      if (read < BYTES_A_TURN || own <= LITTLE_BYTES) return;
      incoming.hold();
      waiting.push(resume);
    };
    return {
      hold() {
        isHeld = true;
        incoming.off("data", count).hold();
      },
      go() {
        isHeld = false;
        incoming.on("data", count).go();
      },
    };
  };
};

/** Frees a chunk that was copied or is not wanted: the collector would come only after tens of megabytes of them. */
const giveBack = ({ buffer, byteLength }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength) buffer.transfer(0);
};
