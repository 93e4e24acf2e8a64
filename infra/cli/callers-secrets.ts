import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import type { SecretsPlace } from "../../lib/aws/aws-secrets.ts";

/** Where the secrets of the caller's account and region lie, and who asks for them: the caller, by whichever of the usual ways these credentials came. */
export const callersSecrets = async (): Promise<SecretsPlace> => {
  const { config } = new CloudFormationClient({});
  const [region, { accessKeyId, secretAccessKey, sessionToken }] = await Promise.all([config.region(), config.credentials()]);
  const domain = `${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return {
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    parametersUrl: `https://ssm.${domain}`,
    secretsUrl: `https://secretsmanager.${domain}`,
  };
};
