import type { HostDomain } from "./constructs/rest-api.ts";
import { UserError } from "./local/user-error.ts";

/** The domains of a stage's hosts; a host without one keeps the gateway's address. */
export interface Domains {
  readonly ingest: HostDomain | undefined;
  readonly api: HostDomain | undefined;
}

type Setting = (name: "ingestDomain" | "ingestCertificate" | "apiDomain" | "apiCertificate") => string | undefined;

const NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const CERTIFICATE = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;

/** The domains from the stage's settings. Throws a `UserError` for a name or a certificate that is none, and for one without the other. */
export const stageDomains = (setting: Setting): Domains => {
  const ingest = domain(setting, "ingestDomain", "ingestCertificate");
  const api = domain(setting, "apiDomain", "apiCertificate");
  if (ingest !== undefined && ingest.name === api?.name)
    throw new UserError(`-c ingestDomain=${ingest.name}: both hosts answer at the root, so give each a domain of its own.`);
  return { ingest, api };
};

const domain = (
  setting: Setting,
  nameSetting: "ingestDomain" | "apiDomain",
  certificateSetting: "ingestCertificate" | "apiCertificate",
): HostDomain | undefined => {
  const name = setting(nameSetting);
  const certificate = setting(certificateSetting);
  if (name === undefined && certificate === undefined) return undefined;
  if (name === undefined) throw new UserError(`-c ${certificateSetting}=… needs -c ${nameSetting}=… as well.`);
  if (!NAME.test(name)) throw new UserError(`-c ${nameSetting}=${name}: give a domain in small letters, such as events.example.com.`);
  if (certificate === undefined)
    throw new UserError(
      `-c ${nameSetting}=${name} needs -c ${certificateSetting}=… as well: the ARN of its certificate in the stage's region.`,
    );
  if (!CERTIFICATE.test(certificate))
    throw new UserError(
      `-c ${certificateSetting}=${certificate}: give the ARN of a certificate of AWS Certificate Manager in the stage's region.`,
    );
  return { name, certificate };
};
