/** Longer than any that a client registers. */
const MOST_CHARACTERS = 2_000;

/** Schemes of an application's own are reverse domain names (RFC 8252, 7.1): a word without a dot may mean anything to a browser. */
const OWN_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/** Where a program on the same machine listens: nobody else reads what is sent there. */
const THIS_MACHINE: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Anything that readers of an address take for something else than it says, or that ends an address in a list of them. */
const UNSAFE = /[\s\\\p{Cc}]/u;

/** Why people may not be sent back to an address by an OAuth application; null for one that is fine. */
export const redirectAddressProblem = (text: string): string | null => {
  if (text.length > MOST_CHARACTERS) return `an address has at most ${MOST_CHARACTERS} characters`;
  if (UNSAFE.test(text) || !URL.canParse(text)) return "expected an absolute address such as https://app.example.com/callback";
  if (text.includes("#")) return "an address to return to has no fragment: nothing that follows `#` is sent";
  const { protocol, hostname, username, password } = new URL(text);
  const isWeb = protocol === "https:" || protocol === "http:";
  if (!isWeb && !OWN_SCHEME.test(protocol)) {
    return `${protocol} is no scheme to return to: expected https, or an application's own such as com.example.app:/callback`;
  }
  if (isWeb && !/^https?:\/\/[^/]/i.test(text)) return "expected an absolute address such as https://app.example.com/callback";
  if (username !== "" || password !== "") return "an address to return to names no user";
  if (/\*|%2a/i.test(hostname)) return "an address to return to names one host: it has no wildcard";
  if (protocol === "http:" && !THIS_MACHINE.has(hostname)) return "expected https: only localhost, 127.0.0.1 and [::1] may be http";
  return null;
};
