import { lookup as lookUp } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIPv6, type LookupFunction } from "node:net";
import { isLoopback } from "../allowed-url.ts";

/** A receiver that takes longer has not received, milliseconds. */
const POST_MS = 5_000;

/** No receiver has to answer anything but a status. */
const MOST_HEADER_BYTES = 16_384;

/** No reply came. Its message tells the receiver's owner why, and nothing of the network that it was sent from. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/**
 * Posts JSON to an address, and gives the status of the reply, of which nothing else is read. Redirects are not followed, and a name
 * that leads to an address within some network is not called, whatever its owner says. Throws `Unreachable` where no reply comes in time.
 */
export const postJson = (url: URL, body: string, headers: Readonly<Record<string, string>>, withinMs = POST_MS): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const signal = AbortSignal.timeout(withinMs);
  const sent = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...headers,
    },
    // A connection of its own: a name may lead elsewhere by the next time.
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    signal,
    lookup: isLoopback(url.hostname) ? lookUp : publicLookup,
  });
  sent.on("error", (fault) => reject(unreachable(fault, signal.aborted)));
  sent.on("response", (response) => {
    resolve(response.statusCode ?? 0);
    response.destroy();
  });
  // A connection that the receiver would turn into another one ends without a word.
  sent.on("close", () => reject(new Unreachable("It closed the connection without an answer.")));
  sent.end(body);
  return promise;
};

const unreachable = (fault: Error, isLate: boolean): Unreachable => {
  if (fault instanceof Unreachable) return fault;
  const code: unknown = Reflect.get(fault, "code");
  return new Unreachable(isLate ? `It did not answer in time.` : `It could not be reached: ${String(code)}.`);
};

/** As the system looks a name up, but for names that lead anywhere but to the public internet. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "");
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublic(address)))
      return callback(new Unreachable("Its name leads to an address that is not one of the public internet."), "");
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

const NOT_PUBLIC = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  NOT_PUBLIC.addSubnet(net, prefix);
// Within the one block of addresses that the internet uses: those that carry one of IPv4 in themselves, and those of documents.
for (const [net, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  NOT_PUBLIC.addSubnet(net, prefix, "ipv6");

const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet("2000::", 3, "ipv6");

/** Whether an address is one of the public internet. */
export const isPublic = (address: string): boolean =>
  isIPv6(address) ? GLOBAL_UNICAST.check(address, "ipv6") && !NOT_PUBLIC.check(address, "ipv6") : !NOT_PUBLIC.check(address);
