import { isIPv6 } from "node:net";

const GROUPS = 8;
/** Of the eight groups of an IPv6 address those that name a network: /64, all of which one visitor has. */
const NETWORK_GROUPS = 4;

/** What visitors are told apart by: an IPv4 address, or the /64 of an IPv6 address; anything else as it is. */
export const visitorAddress = (address: string): string => {
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return address;
  // The one way to write it: lower case, no leading zeros, IPv4 as two groups, at most one "::".
  const written = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [left = [], right] = written.split("::").map((part) => part.split(":").filter(Boolean));
  const groups = right === undefined ? left : [...left, ...zeros(GROUPS - left.length - right.length), ...right];
  const isMapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
  if (isMapped) return ipv4(groups.slice(6).map((group) => Number.parseInt(group, 16)));
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
};

const zeros = (length: number): readonly string[] => Array.from({ length }, () => "0");

const ipv4 = (halves: readonly number[]): string => halves.flatMap((half) => [half >> 8, half & 255]).join(".");
