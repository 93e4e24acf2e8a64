import { Unavailable } from "../core/unavailable.ts";

/** A file of the pinned state is no longer there: what took its place is in the state as it is now. */
export class GoneFile extends Unavailable {}

/** Reads a pinned state; where a file of it has gone by then, once more the state as it is now. */
export const readPinned = async <P, T>(pinned: P, pin: () => Promise<P>, read: (pinned: P) => Promise<T>): Promise<T> => {
  try {
    return await read(pinned);
  } catch (thrown) {
    if (!(thrown instanceof GoneFile)) throw thrown;
    return read(await pin());
  }
};
