import { BlockList, isIPv6 } from "node:net";
import { rawGroup } from "../../lib/app/raw-group.ts";
import type { Group } from "../../lib/app/routes.ts";
import type { World } from "../../lib/app/world.ts";
import { findCaller } from "../../lib/auth/callers.ts";
import { type ApiError, methodNotAllowed, unknownPath } from "../../lib/http/errors.ts";
import type { HttpReply, HttpRequest } from "../../lib/http/request.ts";
import { readCredentials } from "./credentials.ts";

const METHODS = ["GET", "HEAD", "POST"];

/**
 * Signs the console in as the demo's owner with one click: `POST` answers `{personal_api_key}` from the data directory's credentials,
 * `GET` answers `{user}`, the owner's address, so that the console knows whether to offer it. Whatever is not sure to be that console on
 * this machine is answered 404, as on a deployed host, which has nothing here.
 */
export const signIn = (dataDir: string): Group =>
  rawGroup({
    name: "sign-in",
    gateway: "management",
    uses: { table: { read: ["keys", "users"], write: ["keys"] } },
    paths: ["/local/sign-in/"],
    bodyBytes: () => 0,
    async serve(request, world) {
      const owner = isFromHere(request, world.config.baseUrl) ? await demoOwner(dataDir, request, world) : undefined;
      if (owner === undefined) return refused(unknownPath());
      if (!METHODS.includes(request.method)) return refused(methodNotAllowed(request.method, METHODS));
      return reply(200, request.method === "POST" ? { personal_api_key: owner.key } : { user: owner.email });
    },
  });

/** The demo owner's key and address; undefined where there is no demo, or its key was rolled or deleted. */
const demoOwner = async (
  dataDir: string,
  { ip }: HttpRequest,
  world: World,
): Promise<{ readonly key: string; readonly email: string } | undefined> => {
  const key = readCredentials(dataDir)?.personal_api_key;
  const caller = key === undefined ? undefined : await findCaller(world, key, ip);
  return key !== undefined && caller?.kind === "personal" ? { key, email: caller.user.email } : undefined;
};

/** What a tunnel or a proxy adds to what it passes on, often under our own host's name. */
const PASSED_ON = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * Whether a request comes from a page of this platform, or from a program on this machine: the platform listens on a loopback address
 * only, the request names that very host (a foreign name that resolves to it is somebody else's page), no proxy passed it on, and a
 * browser that says from where it comes says from here.
 */
const isFromHere = ({ headers }: HttpRequest, baseUrl: string): boolean => {
  const here = URL.parse(baseUrl);
  const host = headers.host ?? "";
  return (
    here !== null &&
    isLoopback(here.hostname) &&
    (host === here.host || host === here.host.replace(here.hostname, "localhost")) &&
    PASSED_ON.every((name) => headers[name] === undefined) &&
    (headers["sec-fetch-site"] ?? "same-origin") === "same-origin" &&
    (headers.origin ?? `http://${host}`) === `http://${host}`
  );
};

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Takes a host as an address of the web has it: IPv6 in brackets. */
const isLoopback = (hostname: string): boolean => {
  const address = hostname.replace(/^\[|\]$/g, "");
  return address === "localhost" || LOOPBACK.check(address, isIPv6(address) ? "ipv6" : "ipv4");
};

const refused = ({ status, headers, body }: ApiError): HttpReply => reply(status, body, headers);

/** Without a word about other origins: no page but our own may read it. */
const reply = (status: number, body: unknown, headers: HttpReply["headers"] = {}): HttpReply => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  body: JSON.stringify(body),
});
