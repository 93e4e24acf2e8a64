import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import * as s3 from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import type { Prefix, Rights } from "../rights.ts";

export interface EventLake {
  readonly name: string;
  grant(role: iam.Role, rights: NonNullable<Rights["lake"]>): void;
}

/** As long as a message that points to one of these objects can live. */
const MESSAGE_DAYS = 14;
const RESULT_DAYS = 8;
/** A file that somebody asked for is fetched at once, from an address that holds for an hour. */
const EXPORT_DAYS = 1;

const ACTIONS = {
  read: ["s3:GetObject"],
  write: ["s3:PutObject", "s3:AbortMultipartUpload"],
  remove: ["s3:DeleteObject"],
} as const;

/** The bucket of the lake: private, encrypted by the store, reachable by TLS only, and kept when its stack goes. */
export const eventLake = (scope: Construct): EventLake => {
  const bucket = new s3.Bucket(scope, "lake", {
    encryption: s3.BucketEncryption.S3_MANAGED,
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [
      { id: "messages", prefix: "messages/", expiration: Duration.days(MESSAGE_DAYS) },
      { id: "exports", prefix: "exports/", expiration: Duration.days(EXPORT_DAYS) },
      { id: "results", prefix: "results/", expiration: Duration.days(RESULT_DAYS) },
      { id: "broken-uploads", abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
  });
  Validations.of(bucket).acknowledge({
    id: "AwsSolutions-S1",
    reason: "Only the platform's own functions read the lake, and each request is in their logs; access logs would be a second bucket.",
  });
  const below = (prefixes: readonly Prefix[]): string[] => prefixes.map((prefix) => bucket.arnForObjects(`${prefix}/*`));
  return {
    name: bucket.bucketName,
    grant(role, rights) {
      for (const verb of ["read", "write", "remove"] as const) {
        const prefixes = rights[verb] ?? [];
        if (prefixes.length === 0) continue;
        role.addToPolicy(new iam.PolicyStatement({ actions: [...ACTIONS[verb]], resources: below(prefixes) }));
        for (const prefix of prefixes) acknowledgeBelow(role, bucket, prefix);
      }
      // Without the right to list, the store answers 403 and not 404 for an object that does not exist.
      if (rights.read !== undefined)
        role.addToPolicy(new iam.PolicyStatement({ actions: ["s3:ListBucket"], resources: [bucket.bucketArn] }));
    },
  };
};

/** A folder of the lake is a wildcard to the nag rules, which name the bucket as the other stacks import it. */
const acknowledgeBelow = (role: iam.Role, bucket: s3.Bucket, prefix: Prefix): void => {
  const stack = Stack.of(bucket);
  const imported: Readonly<Record<string, string>> = stack.resolve(stack.exportValue(bucket.bucketArn));
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::${imported["Fn::ImportValue"]}/${prefix}/*]`,
    reason: `Objects come and go below ${prefix}/, and the role may touch nothing outside the folders that infra/rights.ts names.`,
  });
};
