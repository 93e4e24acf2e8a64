import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { cache } from "../../core/cache.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { Defect } from "../../core/unreachable.ts";
import type { FileAccess, FileKeys } from "../../ports/file-access.ts";
import type { Clock } from "../../ports/system.ts";

export interface ReaderPlace {
  readonly bucket: string;
  /** The role that may read what can be lent. */
  readonly role: string;
  /** Where keys are asked for, if not in the region of the environment; credentials come from there, too. */
  readonly url?: string;
}

/** As long as a role may have that another one takes on. */
const SECONDS = 3_600;

/** Clients ask with every query; keys that are handed out again are good for most of their hour still. */
const KEPT_MS = 10 * MINUTE_MS;
const MOST_KEPT = 1_000;

const TIMEOUT_MS = 5_000;

/** Keys of a role that reads the lake, each held to some of its folders by a policy of its own. */
export const openKeys = ({ bucket, role, url }: ReaderPlace, clock: Clock): FileAccess["lend"] => {
  const client = new STSClient({ requestHandler: { requestTimeout: TIMEOUT_MS }, ...(url !== undefined && { endpoint: url }) });
  const lent = cache<string, FileKeys>({ capacity: MOST_KEPT });
  const partition = role.split(":", 2)[1] ?? "aws";
  return async (prefixes, reader) => {
    const Policy = policy(prefixes.map((prefix) => `arn:${partition}:s3:::${bucket}/${prefix}*`));
    return lent.of(`${reader} ${Policy}`, clock.now(), KEPT_MS, async () => {
      const command = new AssumeRoleCommand({ RoleArn: role, RoleSessionName: reader, DurationSeconds: SECONDS, Policy });
      const { Credentials } = await client.send(command);
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) throw new Defect("the token service gave no keys");
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken, expiresAt: Expiration.getTime() };
    });
  };
};

/** What the holder of the keys may do, of all that the role may. */
const policy = (resources: readonly string[]): string =>
  JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: resources }] });
