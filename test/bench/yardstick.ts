import { gunzipSync, gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { cpuMs } from "./cpu.ts";

/** What a machine can do at all, so that figures of two machines can be compared: one core, milliseconds of processor. */
export interface Yardstick {
  /** To unpack and to parse a megabyte of events. */
  readonly megabyteMs: number;
  /** To hash a million rows, and to look for each among those before it. */
  readonly millionRowsMs: number;
}

export const yardstick = async (): Promise<Yardstick> => ({ megabyteMs: await megabyteMs(), millionRowsMs: await millionRowsMs() });

const EVENTS = 1_000;
const MEGABYTE = 1_000_000;
const ROUNDS = 20;

export const megabyteMs = async (): Promise<number> => {
  const text = JSON.stringify(Array.from({ length: EVENTS }, (_, at) => anEvent(at)));
  const packed = gzipSync(text);
  const read = (): unknown => JSON.parse(gunzipSync(packed).toString());
  read();
  const spent = await cpuMs(async () => {
    for (let round = 0; round < ROUNDS; round += 1) read();
  });
  return (spent / ROUNDS) * (MEGABYTE / text.length);
};

const anEvent = (at: number) => ({
  event: "order placed",
  distinct_id: `customer-${at}`,
  properties: { amount: at, plan: "team", $browser: "Chrome", $current_url: `https://example.com/orders/${at}` },
});

const ROW_ROUNDS = 3;

const millionRowsMs = async (): Promise<number> => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const hash = () => connection.run("SELECT count(DISTINCT range * 7919 % 500009) FROM range(1000000)");
  await hash();
  const spent = await cpuMs(async () => {
    for (let round = 0; round < ROW_ROUNDS; round += 1) await hash();
  });
  connection.closeSync();
  instance.closeSync();
  return spent / ROW_ROUNDS;
};
