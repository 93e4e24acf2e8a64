import { randomBytes } from "node:crypto";
import * as z from "zod";
import { batchOf, call, event, runQuery, sendEvents } from "./calls.ts";
import { type Question, question, type Site } from "./question.ts";

const MB = 1_000_000;

/** A batch of about so many bytes, in events of half a megabyte that no gateway finds smaller than they are. */
const bodyOf = (site: Site, bytes: number): Buffer => {
  const part = randomBytes(MB / 4).toString("hex");
  const count = Math.max(1, Math.round(bytes / (MB / 2)));
  const text = part.slice(0, Math.floor(bytes / count) - 200);
  return batchOf(
    site,
    Array.from({ length: count }, () => event(site, "large", Date.now(), { text })),
  );
};

const sized = (megabytes: number, deployed: string, laptop: string): Question =>
  question(`a body of ${megabytes} MB at the ingest host`, { deployed, laptop }, (site) => sendEvents(site, bodyOf(site, megabytes * MB)));

/** So many small events are 631 KB in gzip, and more than a function takes once a gateway has unpacked them. */
const PACKED_EVENTS = 13_000;

const packed = (site: Site): Buffer =>
  batchOf(
    site,
    Array.from({ length: PACKED_EVENTS }, (_, at) => event(site, "packed", Date.now(), { at, text: "packed".repeat(70) })),
  );

const Page = z.object({ count: z.number(), next: z.string().nullable(), results: z.array(z.object({ name: z.string() })) });

/** Two saved queries, one a page: the address of the second page has to lead there, stage and domain included. */
const followNext = async (site: Site): Promise<string> => {
  const at = `/api/projects/${site.project}/endpoints/`;
  const names = ["one", "two"].map((name) => `smoke_${site.run}_${name}`);
  for (const name of names) {
    const { status, text } = await call(site, "POST", at, { name, query: { kind: "HogQLQuery", query: "SELECT 1" } });
    if (status !== 201) throw new Error(`a query could not be saved: ${status} ${text.slice(0, 200)}`);
  }
  try {
    const first = Page.parse(JSON.parse((await call(site, "GET", `${at}?limit=1`)).text));
    if (first.next === null) return "no next page";
    if (!first.next.startsWith(`${site.baseUrl}/`)) return `the next page is at ${first.next}`;
    const second = await call(site, "GET", first.next);
    if (second.status !== 200) return `the next page is ${second.status}`;
    return Page.parse(JSON.parse(second.text)).results[0]?.name === first.results[0]?.name ? "the same page again" : "the next page";
  } finally {
    for (const name of names) await call(site, "DELETE", `${at}${name}/`);
  }
};

/** A reply with so many quotation marks, each of which a function carries as four bytes. */
const quotes = async (site: Site, millions: number): Promise<string> => {
  const { status, text } = await runQuery(site, `SELECT repeat('"', ${millions * 10_000}) FROM (SELECT arrayJoin(range(0, 100)))`);
  return status === 400 && text.includes("query_too_large") ? "400 query_too_large" : String(status);
};

const Envelope = z.object({ code: z.string() });

/** Both forms of an address, with and without its final slash. */
const bothForms = async (ask: (slash: string) => Promise<string>): Promise<string> => [await ask(""), await ask("/")].join(" and ");

/** What the gateway in front does with requests and replies. */
export const GATEWAY_QUESTIONS: readonly Question[] = [
  question("a body in gzip", { deployed: "200", laptop: "200" }, (site) =>
    sendEvents(site, batchOf(site, [event(site, "gzip", Date.now())]), { encoding: "gzip" }),
  ),
  question(
    `${PACKED_EVENTS.toLocaleString("en-US")} events in gzip: the gateway unpacks, and counts what is unpacked`,
    { deployed: "413", laptop: "200" },
    (site) => sendEvents(site, packed(site), { encoding: "gzip" }),
  ),
  question("a body in an encoding that the gateway does not know", { deployed: "415" }, (site) =>
    sendEvents(site, batchOf(site, [event(site, "brotli", Date.now())]), { encoding: "br" }),
  ),
  sized(4.4, "200", "200"),
  sized(5, "413", "200"),
  sized(9.5, "413", "200"),
  sized(10.5, "413", "200"),
  question("the address of a list's next page", { deployed: "the next page", laptop: "the next page" }, followNext),
  question("a reply with a million quotation marks", { deployed: "200", laptop: "200" }, (site) => quotes(site, 1)),
  question(
    "a reply with two million quotation marks, more than a function carries",
    { deployed: "400 query_too_large", laptop: "400 query_too_large" },
    (site) => quotes(site, 2),
  ),
  question("capture without and with a final slash", { deployed: "200 and 200", laptop: "200 and 200" }, (site) =>
    bothForms((slash) => sendEvents(site, batchOf(site, [event(site, "slash", Date.now())]), { path: `/batch${slash}` })),
  ),
  question("the API without and with a final slash", { deployed: "200 and 200", laptop: "200 and 200" }, (site) =>
    bothForms(async (slash) => String((await call(site, "GET", `/api/projects/${site.project}/endpoints${slash}`)).status)),
  ),
  question("an unknown path of the API, with a key", { deployed: "404 not_found", laptop: "404 not_found" }, async (site) => {
    const { status, text } = await call(site, "GET", `/api/nothing-${site.run}/here/`);
    return `${status} ${Envelope.safeParse(JSON.parse(text)).data?.code ?? text.slice(0, 100)}`;
  }),
  question("an unknown path of the ingest host", { deployed: "404", laptop: "404" }, (site) =>
    sendEvents(site, batchOf(site, []), { path: `/nothing-${site.run}` }),
  ),
];
