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
    parametersUrl: endpointOf("SSM") ?? `https://ssm.${domain}`,
    secretsUrl: endpointOf("SECRETS_MANAGER") ?? `https://secretsmanager.${domain}`,
  };
};

/** Where a service is said to be in the caller's environment, as the clients of AWS read it. */
const endpointOf = (service: string): string | undefined => process.env[`AWS_ENDPOINT_URL_${service}`] ?? process.env.AWS_ENDPOINT_URL;
