/** Something that the person at the keyboard can put right: its message is printed alone, without a stack. */
export class UserError extends Error {
  override readonly name = "UserError";
}
