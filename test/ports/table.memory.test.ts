import { memoryTable } from "../simulation/ports/table.ts";
import { tableSuite } from "./table.suite.ts";

const table = memoryTable();
tableSuite("the table in memory", () => table);

// With other actors let in everywhere, but without faults, it promises the same.
const stepped = memoryTable({ step: async () => undefined });
tableSuite("the table in memory that takes steps", () => stepped);
