/** One JSON line per request, batch or job. Never a token, a body or an e-mail address. */
export interface Log {
  line(
    level: "info" | "warn" | "error",
    event: string,
    fields: Readonly<Record<string, string | number | boolean | null | undefined>>,
  ): void;
}
