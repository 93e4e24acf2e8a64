/** What must never be, as a sentence. */
export class Violation extends Error {
  override readonly name = "Violation";
}
