import { gzipSync } from "node:zlib";
import { type Attack, type Attacker, list, MIB, MULTIPART, type Shot } from "../attack.ts";

const AT_ONCE = 8;
const HELD_BACK = 64;
const NOTICE = "/api/billing/webhooks/stripe/";
const UNKNOWN_TOKEN = `phc_${"x".repeat(43)}`;
const TOO_BUSY = 503;

/** What costs a stranger nothing but its bytes: no key, one that nobody has, or a token, which a page shows to everybody. */
export const keyless = ({ tenant, round, at, nobodys, captured }: Attacker): readonly Attack[] => {
  const together = (shot: Shot): Shot => ({ ...shot, copies: AT_ONCE });
  const notice = `{"type":"a","data":{"object":{"list":[${"1,".repeat(499_000)}1]}}}`;
  const part = (headers: string): string => `--b\r\ncontent-disposition: form-data; name="personal_api_key"${headers}\r\n\r\nx\r\n`;
  const parts = (content: string): Shot => together(nobodys(at("endpoints/"), `${content}--b--\r\n`, MULTIPART));
  const unknown = (content: string): string => `{"api_key":"${UNKNOWN_TOKEN}","batch":[${content}]}`;
  const event = '{"event":"a","distinct_id":"b"}';
  return [
    { name: "payment webhook: nobody's signature", shots: [together(nobodys(NOTICE, notice))] },
    {
      name: "payment webhook: a signature of thousands of parts",
      shots: [together({ ...nobodys(NOTICE, notice), headers: { "stripe-signature": `t=1${",v1=a".repeat(2_500)}` } })],
    },
    { name: "parts: millions of headers", shots: [parts(part("\r\na: b".repeat(690_000)))] },
    { name: "parts: a header of megabytes", shots: [parts(part(`\r\na: ${"b".repeat(4 * MIB - 200)}`))] },
    { name: "parts: a disposition of many parameters", shots: [parts(part("; a=b".repeat(800_000)))] },
    { name: "parts: hundreds with hundreds of headers", shots: [parts(list(990, () => part("\r\na: b".repeat(690)), ""))] },
    {
      name: "parts: what almost is a boundary",
      shots: [parts(`${part("")}--b\r\ncontent-disposition: form-data; name="n"\r\n\r\n${"\r\n-".repeat(1_300_000)}\r\n`)],
    },
    {
      name: "capture: nobody's token in small gzip",
      shots: [together(captured(gzipSync(unknown(`${`${event},`.repeat(650_000)}${event}`))))],
    },
    {
      name: "capture: nobody's token behind twenty megabytes",
      shots: [together(captured(`{"batch":[${`${event},`.repeat(600_000)}${event}],"api_key":"${UNKNOWN_TOKEN}"}`))],
    },
    {
      name: "capture: ever new tokens that nobody has",
      shots: Array.from({ length: 100 }, (_, number) => captured(`{"api_key":"phc_${round}_${number}","event":"a","distinct_id":"b"}`)),
    },
    {
      name: "capture: bodies without an end",
      shots: [{ ...captured(Buffer.alloc(20 * MIB, 32)), copies: HELD_BACK, isHeldBack: true }],
      refusal: TOO_BUSY,
    },
    {
      name: "capture: bodies under a token that is known, without an end",
      shots: [
        { ...captured(`{"api_key":"${tenant.projectToken}","batch":[${" ".repeat(20 * MIB - 100)}`), copies: HELD_BACK, isHeldBack: true },
      ],
      refusal: TOO_BUSY,
    },
    {
      name: "capture: small bodies without an end",
      shots: [{ ...captured(Buffer.alloc(60 * 1024, 32)), copies: 32 * HELD_BACK, isHeldBack: true }],
      refusal: TOO_BUSY,
    },
    {
      name: "API: bodies without an end",
      shots: [{ ...nobodys(at("endpoints/"), Buffer.alloc(4 * MIB, 32)), copies: 4 * HELD_BACK, isHeldBack: true }],
      refusal: TOO_BUSY,
    },
  ];
};
