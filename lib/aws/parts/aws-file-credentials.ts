import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { cache } from "../../core/cache.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { Defect } from "../../core/unreachable.ts";
import type { FileAccess, FileCredentials } from "../../ports/file-access.ts";
import type { Clock } from "../../ports/system.ts";

export interface ReaderPlace {
  readonly bucket: string;
  /** The role that may read whatever credentials are vended for. */
  readonly role: string;
  /** The token service's address, where it is not that of the environment's region. */
  readonly url?: string;
}

/** The longest session of a role that another role assumes. */
const SECONDS = 3_600;

/** Clients ask with every query; credentials that are given out again are valid for most of their hour still. */
const KEPT_MS = 10 * MINUTE_MS;
const MOST_KEPT = 1_000;

const TIMEOUT_MS = 5_000;

/** Vends credentials of the role that reads the lake, each bound to some of its folders by a session policy. */
export const openFileCredentials = ({ bucket, role, url }: ReaderPlace, clock: Clock): FileAccess["vend"] => {
  const client = new STSClient({ requestHandler: { requestTimeout: TIMEOUT_MS }, ...(url !== undefined && { endpoint: url }) });
  const vended = cache<string, FileCredentials>({ capacity: MOST_KEPT });
  const partition = role.split(":", 2)[1] ?? "aws";
  return async (prefixes, reader) => {
    const Policy = policy(prefixes.map((prefix) => `arn:${partition}:s3:::${bucket}/${prefix}*`));
    return vended.of(`${reader} ${Policy}`, clock.now(), KEPT_MS, async () => {
      const command = new AssumeRoleCommand({ RoleArn: role, RoleSessionName: reader, DurationSeconds: SECONDS, Policy });
      const { Credentials } = await client.send(command);
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) throw new Defect("the token service gave no credentials");
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken, expiresAt: Expiration.getTime() };
    });
  };
};

/** The session policy: of all that the role may do, what the holder of the credentials may. */
const policy = (resources: readonly string[]): string =>
  JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: resources }] });
