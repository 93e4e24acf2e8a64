/** Hosts that are this machine, where a name of the list stands for its addresses. */
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const isLoopback = (host: string): boolean => LOOPBACK.has(host);

/**
 * Why nothing may be sent to an address, in a sentence to whoever gave it; undefined where it may. The address has to be encrypted, but for this very
 * machine's, and its host one that the deployment names: by itself, or by `*.` and a name that it lies below.
 */
export const urlProblem = (text: string, allowed: readonly string[]): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !["https:", "http:"].includes(url.protocol)) return "Give an address that begins with https://.";
  if (url.username !== "" || url.password !== "") return "Give an address without a user and a password.";
  if (url.hash !== "") return "Give an address without a fragment.";
  if (!isAllowed(url.hostname, allowed)) return notAllowed(url.hostname, allowed);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return "Give an address that begins with https://.";
  return undefined;
};

const isAllowed = (host: string, allowed: readonly string[]): boolean =>
  allowed.some((each) => (each.startsWith("*.") ? host.endsWith(each.slice(1)) && host.length >= each.length : host === each));

const notAllowed = (host: string, allowed: readonly string[]): string =>
  allowed.length === 0
    ? "This platform sends no webhooks: ask its operator to allow the host with the setting webhookHosts."
    : `The host ${host.slice(0, MAX_SHOWN)} is not one that this platform sends to: ask its operator to add it to the setting webhookHosts.`;

const MAX_SHOWN = 100;
