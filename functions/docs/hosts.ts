/** The addresses of the two hosts, without a final slash. */
export interface Hosts {
  readonly baseUrl: string;
  readonly ingestUrl: string;
}

/** What stands in a description that is made once for the addresses, which only a request tells. */
export const UNKNOWN_HOSTS: Hosts = { baseUrl: "https://api.invalid", ingestUrl: "https://ingest.invalid" };

/** A description that was made for the unknown hosts, as JSON, under these addresses. */
export const underHosts = (text: string, { baseUrl, ingestUrl }: Hosts): string =>
  text
    .replaceAll(JSON.stringify(UNKNOWN_HOSTS.baseUrl), () => JSON.stringify(baseUrl))
    .replaceAll(JSON.stringify(UNKNOWN_HOSTS.ingestUrl), () => JSON.stringify(ingestUrl));
