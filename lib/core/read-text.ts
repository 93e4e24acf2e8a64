/** An answer that is longer than anybody has to read. */
export class TooLong extends Error {
  override readonly name = "TooLong";
}

/** The text of an answer, held only as far as it may go: leaving the loop ends the connection. Throws `TooLong`. */
export const readText = async ({ body }: Pick<Response, "body">, mostBytes: number): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw new TooLong(`the answer is longer than ${mostBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
};
