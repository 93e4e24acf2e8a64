/** Something that the person at the keyboard can put right: its message is printed alone, without a stack. */
export class Complaint extends Error {
  override readonly name = "Complaint";
}
