import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import * as s3 from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import type { ObjectUse, Prefix } from "../../lib/app/uses.ts";

export interface EventLake {
  readonly name: string;
  grant(role: iam.Role, rights: ObjectUse): void;
  /** The right to fetch objects whose names are known: a name that is none is answered as one that is forbidden. */
  grantFetch(role: iam.Role, prefixes: readonly Prefix[]): void;
}

/** Objects that nothing refers to after their time, and nobody restores. */
const SHORT_LIVED: readonly { readonly prefix: Prefix; readonly days: number }[] = [
  // Longer than a message that points to one of these objects can live.
  { prefix: "messages", days: 15 },
  // A file that somebody asked for is fetched at once, from an address that holds for an hour.
  { prefix: "exports", days: 1 },
  { prefix: "results", days: 8 },
  // What waits is put again within hours, for as long as it is asked for.
  { prefix: "waiting", days: 1 },
];

/** As far back as the table can be restored. */
const RESTORABLE_DAYS = 35;

const ACTIONS = {
  read: ["s3:GetObject"],
  write: ["s3:PutObject", "s3:AbortMultipartUpload"],
  remove: ["s3:DeleteObject"],
} as const;

/**
 * The bucket of the lake: private, encrypted by the store, reachable by TLS only, and kept when its stack goes. `kept`: the name of one
 * that is there already, which the stack imports.
 */
export const eventLake = (scope: Construct, kept: string | undefined): EventLake => {
  const bucket = lakeBucket(scope, kept);
  const named = importedArn(bucket);
  const allow = (role: iam.Role, verb: keyof typeof ACTIONS, prefixes: readonly Prefix[]): void => {
    if (prefixes.length === 0) return;
    const resources = prefixes.map((prefix) => bucket.arnForObjects(`${prefix}/*`));
    role.addToPolicy(new iam.PolicyStatement({ actions: [...ACTIONS[verb]], resources }));
    for (const prefix of prefixes) acknowledgeBelow(role, named, prefix);
  };
  return {
    name: bucket.bucketName,
    grant(role, rights) {
      for (const verb of ["read", "write", "remove"] as const) allow(role, verb, rights[verb] ?? []);
      // Without the right to list, the store answers 403 and not 404 for an object that does not exist.
      if (rights.read !== undefined)
        role.addToPolicy(new iam.PolicyStatement({ actions: ["s3:ListBucket"], resources: [bucket.bucketArn] }));
    },
    grantFetch: (role, prefixes) => allow(role, "read", prefixes),
  };
};

/**
 * As long as the table can be restored to an earlier second, what the lake held then is there, too: what is deleted or written over
 * stays as an old version for as many days.
 */
const lakeBucket = (scope: Construct, kept: string | undefined): s3.Bucket => {
  const bucket = new s3.Bucket(scope, "lake", {
    ...(kept !== undefined && { bucketName: kept }),
    versioned: true,
    encryption: s3.BucketEncryption.S3_MANAGED,
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
    ...(kept === undefined && { enforceSSL: true, minimumTLSVersion: 1.2 }),
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [
      ...SHORT_LIVED.map(({ prefix, days }) => ({
        id: prefix,
        prefix: `${prefix}/`,
        expiration: Duration.days(days),
        noncurrentVersionExpiration: Duration.days(1),
      })),
      { id: "versions", noncurrentVersionExpiration: Duration.days(RESTORABLE_DAYS), expiredObjectDeleteMarker: true },
      { id: "broken-uploads", abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
  });
  // A bucket without its policy would take requests that are not encrypted, so the policy stays with it.
  bucket.policy?.applyRemovalPolicy(RemovalPolicy.RETAIN);
  if (kept !== undefined)
    Validations.of(bucket).acknowledge({
      id: "AwsSolutions-S10",
      reason: "The policy that asks for TLS was kept with the bucket; the service makes no second one, and imports none.",
    });
  Validations.of(bucket).acknowledge({
    id: "AwsSolutions-S1",
    reason: "Only the platform's own functions read the lake, and each request is in their logs; access logs would be a second bucket.",
  });
  return bucket;
};

/** A folder of the lake is a wildcard to the nag rules. */
const acknowledgeBelow = (role: iam.Role, bucket: string, prefix: Prefix): void => {
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::${bucket}/${prefix}/*]`,
    reason: `Objects come and go below ${prefix}/, and the role may touch nothing outside the folders that its declaration names.`,
  });
};

/** The rules name a bucket as the other stacks import it. */
const importedArn = (bucket: s3.Bucket): string => {
  const stack = Stack.of(bucket);
  const imported: Readonly<Record<string, string>> = stack.resolve(stack.exportValue(bucket.bucketArn));
  return String(imported["Fn::ImportValue"]);
};
