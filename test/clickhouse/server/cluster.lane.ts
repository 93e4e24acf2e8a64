import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Unreachable } from "../../../lib/clickhouse/http/unreachable.ts";
import { GoneFile } from "../../../lib/engine/gone-file.ts";
import { askAll, type Served, serve } from "./server.ts";

const FILES = 20;
const ROWS = 1_000;

let served: Served;
beforeAll(async () => {
  served = await serve(2);
  const lines = Array.from({ length: ROWS }, (_, row) => `${row}\n`).join("");
  for (let file = 0; file < FILES; file++) await served.objects.put(`events/${file}.csv`, Buffer.from(lines));
});
afterAll(() => served.close());

const names = (first = 0): string => `events/{${Array.from({ length: FILES }, (_, file) => file + first).join(",")}}.csv`;

const from = (filename: string): string =>
  `s3Cluster(${served.server.cluster}, lake, filename = '${filename}', format = 'CSV', structure = 'a Int32')`;

/** How many objects each node has read, of those that have read any. */
const readers = async (): Promise<readonly unknown[]> => {
  const operator = served.as(served.server.operator);
  const events = `clusterAllReplicas(${served.server.cluster}, system.events)`;
  const { rows } = await askAll(operator, `SELECT value FROM ${events} WHERE event = 'S3GetObject' AND value > 0`);
  await operator.close();
  return rows;
};

describe("a cluster of two", () => {
  it("reads each file once, by both, and knows the rows' places", async () => {
    const sql = (source: string): string =>
      `SELECT _path, count(), sum(a), min(_row_number), max(_row_number), countIf(_row_number = a) FROM ${source} GROUP BY _path ORDER BY _path`;
    const alone = await askAll(served.client, sql(from(names()).replace(/s3Cluster\(\w+, /, "s3(")));
    const together = await askAll(served.client, sql(from(names())));
    expect(together.rows).toEqual(alone.rows);
    expect(together.rows).toHaveLength(FILES);
    expect(together.summary.readRows).toBe(FILES * ROWS);
    expect(await readers()).toHaveLength(2);
  });

  it("says which file is gone", async () => {
    await expect(askAll(served.client, `SELECT count() FROM ${from(names(1))}`)).rejects.toThrow(GoneFile);
  });

  it("lets nobody read past the lake's folders", async () => {
    await served.objects.put("messages/0.csv", Buffer.from("1\n"));
    await expect(askAll(served.client, `SELECT count() FROM ${from("messages/0.csv")}`)).rejects.toThrow(Unreachable);
    const { cluster } = served.server;
    for (const source of [`cluster(${cluster}, system.processes)`, `clusterAllReplicas(${cluster}, system.one)`])
      await expect(askAll(served.client, `SELECT * FROM ${source}`)).rejects.toThrow(Unreachable);
  });

  it("answers rightly or not at all while a node of it is killed, again and again", async () => {
    const right = FILES * ((ROWS * (ROWS - 1)) / 2);
    let [answers, failures] = [0, 0];
    for (let kills = 0; kills < 3; kills++) {
      process.kill(served.server.nodes[1]?.pid() ?? expect.fail("no second node"), "SIGKILL");
      for (let asked = 0; asked < 20; asked++) {
        const sum = await askAll(served.client, `SELECT sum(a) FROM ${from(names())}`).then(
          ({ rows }) => rows[0]?.[0],
          (error: unknown) => error,
        );
        if (sum instanceof Unreachable) failures += 1;
        else answers += Number(sum === right);
        await pause(50);
      }
    }
    expect(answers + failures).toBe(60);
  });
});
