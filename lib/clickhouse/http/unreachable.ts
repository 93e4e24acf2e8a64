/** ClickHouse did not answer, or not to the end: nothing is known of the query. The message is for the log alone. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
