import { gzipSync } from "node:zlib";
import { type Attack, type Attacker, MIB, type Shot } from "../attack.ts";

const AT_ONCE = 4;
/** Most events of a request. */
const MOST_EVENTS = 100_000;

const EVENT = '{"event":"a","distinct_id":"b"}';

/** Kilobytes of gzip that become millions of something. */
export const bombs = ({ tenant, captured }: Attacker): readonly Attack[] => {
  const zipped = (text: string, copies = 1): Shot => ({ ...captured(gzipSync(text)), copies });
  const of = (content: string): string => `{"api_key":"${tenant.projectToken}","batch":[${content}`;
  const event = (properties: string): string => `{"event":"a","distinct_id":"b","properties":{"x":[${properties}]}}]}`;
  return [
    { name: "gzip: millions of levels", shots: [zipped(of("[".repeat(23 * MIB)), AT_ONCE)] },
    { name: "gzip: millions of values", shots: [zipped(of(`${"{},".repeat(10 * MIB)}{}]}`), AT_ONCE)] },
    { name: "gzip: as many values as are taken", shots: [zipped(of(event(`${"1,".repeat(480_000)}1`)), AT_ONCE)] },
    {
      name: "gzip: as many lists in lists as are taken",
      shots: [zipped(of(event(`${`${"[".repeat(100)}${"]".repeat(100)},`.repeat(5_000)}1`)), AT_ONCE)],
    },
    { name: "gzip: nothing but spaces", shots: [zipped(of(" ".repeat(31 * MIB)), AT_ONCE)] },
    {
      name: "gzip: as many events as are taken",
      shots: [zipped(of(`${`${EVENT},`.repeat(MOST_EVENTS - 1)}${EVENT}]}`), AT_ONCE)],
    },
    {
      name: "gzip: as many events as a body has values",
      shots: [zipped(of(`${`${EVENT},`.repeat(6 * MOST_EVENTS)}${EVENT}]}`), AT_ONCE)],
    },
  ];
};
