import type { TableName, TextColumn } from "../columns.ts";
import { startPython } from "./python.ts";
import type { Asked, Catalogue, Filter, Reader } from "./reader.ts";

export interface Pyiceberg extends Reader {
  /** How many files a scan opens. */
  files(table: TableName, filters?: readonly Filter[]): Promise<number>;
  /** Plans a scan, which `finish` ends whenever that may be. */
  plan(name: string, table: TableName): Promise<number>;
  finish(name: string, columns: readonly TextColumn[]): Promise<{ readonly rows: number; readonly digest: string }>;
}

/** Conditions as JSON has them. */
const plain = (filters: readonly Filter[] = []): readonly object[] =>
  filters.map((filter) => {
    const { column, is } = filter;
    if (!("value" in filter)) return { column, is_: is };
    const { value } = filter;
    return { column, is_: is, value: typeof value === "object" ? { time: String(value.time) } : value };
  });

export const openPyiceberg = async (python: string, catalogue: Catalogue): Promise<Pyiceberg> => {
  const program = startPython(python, "pyiceberg_reader.py");
  const attached = await program.ask<Pick<Reader, "version" | "tables">>("attach", catalogue);
  const asking = ({ filters, ...asked }: Asked): object => ({ ...asked, filters: plain(filters) });
  return {
    ...attached,
    read: (asked) => program.ask("read", asking(asked)),
    texts: async (asked) => (await program.ask<{ readonly texts: readonly string[] }>("read", { ...asking(asked), whole: true })).texts,
    files: (table, filters) => program.ask("files", { table, filters: plain(filters) }),
    plan: (name, table) => program.ask("plan", { name, table }),
    finish: (name, columns) => program.ask("finish", { name, columns }),
    close: program.close,
  };
};
