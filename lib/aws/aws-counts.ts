import { Sha256 } from "@smithy/core/checksum";
import { SignatureV4 } from "@smithy/signature-v4";
import type { PutCounts } from "../ports/counts.ts";

/** The version of the metric service's form-encoded API. */
const API_VERSION = "2010-08-01";
/** A call that nobody waits for any more is ended after this. */
const REQUEST_TIMEOUT_MS = 1_000;
/** How much of a refusal the log keeps. */
const REASON_CHARACTERS = 200;

export interface CountsPlace {
  /** The metric service of the region. */
  readonly url: string;
  /** The only namespace that the function's role may write to. */
  readonly namespace: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
}

/**
 * Counts as metrics. One request, signed by the signer that the clients of table, queues and store bring along: the service's own
 * client would take 20 of the 23 KB that capture's bundle may still grow, and be loaded while a reply waits.
 */
export const openCounts = ({ url, namespace, region, credentials }: CountsPlace): PutCounts => {
  const { protocol, host, hostname } = new URL(url);
  const signer = new SignatureV4({ service: "monitoring", region, credentials, sha256: Sha256 });
  return async (amounts) => {
    const body = formOf(namespace, amounts);
    const headers = { host, "content-type": "application/x-www-form-urlencoded" };
    const signed = await signer.sign({ method: "POST", protocol, hostname, path: "/", headers, body });
    const reply = await fetch(url, { method: "POST", headers: signed.headers, body, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`the metric service answered ${reply.status}: ${text.slice(0, REASON_CHARACTERS)}`);
  };
};

const formOf = (namespace: string, amounts: Parameters<PutCounts>[0]): string => {
  const form = new URLSearchParams({ Action: "PutMetricData", Version: API_VERSION, Namespace: namespace });
  for (const [index, [counted, amount]] of [...amounts].entries()) {
    const member = `MetricData.member.${index + 1}`;
    form.set(`${member}.MetricName`, counted);
    form.set(`${member}.Value`, String(amount));
    form.set(`${member}.Unit`, "Count");
  }
  return form.toString();
};
