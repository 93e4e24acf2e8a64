/** The addresses of the two hosts, without a final slash. */
export interface Hosts {
  readonly baseUrl: string;
  readonly ingestUrl: string;
}

/** What stands in a description that is made once for the addresses, which only a request tells. */
export const UNKNOWN_HOSTS: Hosts = { baseUrl: "https://api.invalid", ingestUrl: "https://ingest.invalid" };

/**
 * Puts a description that was made for the unknown hosts, as JSON, under others. Nearly all ask under the same addresses, so what was
 * made last is kept: nobody needs a key for it, and each text is a megabyte.
 */
export const hostedText = (): ((text: string, hosts: Hosts) => string) => {
  let last: (Hosts & { readonly of: string; readonly text: string }) | undefined;
  return (text, { baseUrl, ingestUrl }) => {
    if (last?.of === text && last.baseUrl === baseUrl && last.ingestUrl === ingestUrl) return last.text;
    last = { of: text, baseUrl, ingestUrl, text: underHosts(text, { baseUrl, ingestUrl }) };
    return last.text;
  };
};

const underHosts = (text: string, { baseUrl, ingestUrl }: Hosts): string =>
  text
    .replaceAll(JSON.stringify(UNKNOWN_HOSTS.baseUrl), () => JSON.stringify(baseUrl))
    .replaceAll(JSON.stringify(UNKNOWN_HOSTS.ingestUrl), () => JSON.stringify(ingestUrl));
