import { isOpaque } from "./clean-message.ts";

/** Words that errors of networks have in their type or message. */
const OF_A_NETWORK =
  /fetch|network|connect|socket|tim(?:ed?[ -]?)out|\bdns\b|getaddrinfo|\bE(?:NOTFOUND|CONN\w{2,12}|TIMEDOUT|HOSTUNREACH|AI_AGAIN)\b|unreachable|\bhost\b|http(?!s?:\/\/)|axios|request|dial tcp|lookup|resolve/i;

/** The places where the messages of clients name a host, in the order in which they are asked. */
const TARGETS: readonly RegExp[] = [
  /\b(?:https?|wss?):\/\/(?<host>[a-z0-9.-]{1,253})(?::\d+)?(?<path>\/[^\s"'`<>()[\]{}?#]*)?/i,
  /\bhost=?\s?["'](?<host>[a-z0-9.-]{1,253})["'](?:.{0,200}?\burl: (?<path>\/[^\s"'?#)]*))?/i,
  /\b(?:ENOTFOUND|EAI_AGAIN|lookup|connect to|host:?) (?<host>[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/i,
];

const NUMERIC_HOST = /^[\d.]+$/;

/** The host and path that an error of the network was about, without ids; undefined for other errors, and where the message names none. */
export const networkTarget = (type: string, message: string): string | undefined => {
  if (!OF_A_NETWORK.test(type) && !OF_A_NETWORK.test(message)) return undefined;
  for (const target of TARGETS) {
    const found = target.exec(message)?.groups;
    const host = found?.host?.toLowerCase();
    if (host === undefined || NUMERIC_HOST.test(host)) continue;
    return (
      host +
      (found?.path ?? "")
        .split("/")
        .map(cleanSegment)
        .join("/")
        .replace(/(?<![.,;:!/])[.,;:!/]+$/, "")
    );
  }
  return undefined;
};

/** Segments with digits are ids, but for versions of an interface. */
const cleanSegment = (segment: string): string =>
  /^v\d{1,3}$/.test(segment) || !(/\d/.test(segment) || isOpaque(segment)) ? segment : "*";
