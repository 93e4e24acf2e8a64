/** Something of the language that has no form on ClickHouse with the same answer; the sentence says what. */
export class Unprintable extends Error {
  override readonly name = "Unprintable";
}
