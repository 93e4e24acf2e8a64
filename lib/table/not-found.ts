/** An item that has to be there is not. A request that named it is answered 404. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}
