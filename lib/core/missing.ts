/** What a caller named does not exist, or is not theirs to see. Routes answer it with 404 and `Not found.`. */
export class Missing extends Error {
  override readonly name = "Missing";
}
