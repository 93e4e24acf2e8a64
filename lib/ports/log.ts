/**
 * One JSON line per request, batch or job. Never a token, a body or an e-mail address. What is as common as events and went well is
 * `debug`, which a stage keeps only where its settings say so.
 */
export interface Log {
  line(
    level: "debug" | "info" | "warn" | "error",
    event: string,
    fields: Readonly<Record<string, string | number | boolean | null | undefined>>,
  ): void;
}
