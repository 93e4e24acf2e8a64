import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import type { SecretsPlace } from "../../lib/aws/aws-secrets.ts";

/** Where the secrets of the caller's account and region lie, and who asks for them: the caller, by whichever of the usual ways these credentials came. */
export const callersSecrets = async (): Promise<SecretsPlace> => {
  const { url: parametersUrl, ...caller } = await callersService("ssm", "SSM");
  const { url: secretsUrl } = await callersService("secretsmanager", "SECRETS_MANAGER");
  return { ...caller, parametersUrl, secretsUrl };
};

type Service = Omit<SecretsPlace, "parametersUrl" | "secretsUrl"> & { readonly url: string };

/**
 * A service of the caller's region that has no client here, and who asks it: it lies beside one that has a client, which knows the domain of
 * each region. `setting` is its name in the caller's environment, as the clients of AWS read it.
 */
export const callersService = async (service: string, setting: string): Promise<Service> => {
  const { config } = new CloudFormationClient({});
  const [region, { accessKeyId, secretAccessKey, sessionToken }] = await Promise.all([config.region(), config.credentials()]);
  const { url: neighbour } = config.endpointProvider({ Region: region });
  return {
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    url: process.env[`AWS_ENDPOINT_URL_${setting}`] ?? process.env.AWS_ENDPOINT_URL ?? neighbour.origin.replace("cloudformation", service),
  };
};
