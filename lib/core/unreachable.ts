/** A fault of ours, never of a caller: its message goes to the log and never to the wire. */
export class Defect extends Error {
  override readonly name = "Defect";
}

/** Ends an exhaustive switch: a compile error where a case is missing, a `Defect` where data lied about its type. */
export const unreachable = (value: never): never => {
  throw new Defect(`unexpected value ${JSON.stringify(value)}`);
};

/** A thrown value as a line of the log: name and message of an error, `unknown` for anything else. */
export const faultText = (thrown: unknown): string => (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "unknown");
