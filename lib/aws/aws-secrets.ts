import { Defect } from "../core/unreachable.ts";
import { type SignedPlace, SignedRefusal, signedPost } from "./parts/signed-post.ts";

const JSON_CALL = { path: "/", contentType: "application/x-amz-json-1.1", timeoutMs: 2_000 };
const PARAMETERS = { ...JSON_CALL, service: "ssm", called: "parameter store" };
const SECRETS = { ...JSON_CALL, service: "secretsmanager", called: "secret store" };

interface Found {
  readonly answer: unknown;
}

/** Calls one of the two services. Undefined where it says `unless` instead of an answer. */
const callService = async (
  place: SignedPlace,
  service: typeof PARAMETERS,
  target: string,
  input: object,
  unless: RegExp,
): Promise<Found | undefined> => {
  const text = await signedPost(place, service)(JSON.stringify(input), { "x-amz-target": target }).catch((thrown: unknown) => {
    if (thrown instanceof SignedRefusal && unless.test(thrown.answer)) return undefined;
    throw thrown;
  });
  if (text === undefined) return undefined;
  try {
    return { answer: JSON.parse(text) };
  } catch {
    // Its own message would show some of the answer.
    throw new Defect(`the ${service.called} gave no JSON`);
  }
};

const requireText = (value: unknown, called: string): string => {
  if (typeof value !== "string") throw new Defect(`the ${called} gave no text`);
  return value;
};

/** The parameters of Systems Manager, which encrypts them. Nothing that these calls throw shows what a parameter holds. */
export const openParameters = (place: SignedPlace) => {
  const askStore = (operation: string, input: object, unless: RegExp): Promise<Found | undefined> =>
    callService(place, PARAMETERS, `AmazonSSM.${operation}`, input, unless);
  return {
    /** Undefined where there is no parameter of this name. */
    async read(name: string): Promise<string | undefined> {
      const found = await askStore("GetParameter", { Name: name, WithDecryption: true }, MISSING);
      return found && requireText(Object(Object(found.answer).Parameter).Value, PARAMETERS.called);
    },
    async isThere(name: string): Promise<boolean> {
      return (await askStore("GetParameter", { Name: name, WithDecryption: false }, MISSING)) !== undefined;
    },
    /** False where there is one, which stays as it is. */
    async create(name: string, text: string, description: string): Promise<boolean> {
      const input = { Name: name, Value: text, Type: "SecureString", Overwrite: false, Description: description };
      return (await askStore("PutParameter", input, /ParameterAlreadyExists/)) !== undefined;
    },
  };
};

const MISSING = /ParameterNotFound/;

/** Where secrets lie, and who asks for them. */
export interface SecretsPlace extends Omit<SignedPlace, "url"> {
  /** The addresses of Systems Manager and Secrets Manager. */
  readonly parametersUrl: string;
  readonly secretsUrl: string;
}

const SECRET_ARN = /^arn:[\w-]+:secretsmanager:/;

/** Secrets, each under the name of a parameter of Systems Manager or the ARN of a secret of Secrets Manager. */
export const openSecrets = ({ parametersUrl, secretsUrl, ...signer }: SecretsPlace) => {
  const parameters = openParameters({ url: parametersUrl, ...signer });
  const askStore = (operation: string, name: string): Promise<Found | undefined> =>
    callService({ url: secretsUrl, ...signer }, SECRETS, `secretsmanager.${operation}`, { SecretId: name }, /ResourceNotFoundException/);
  const readSecret = async (name: string): Promise<string | undefined> => {
    const found = await askStore("GetSecretValue", name);
    return found && requireText(Object(found.answer).SecretString, SECRETS.called);
  };
  return {
    /** The text under a name, without white space around it: files end with a line. Throws where there is none, and says what to do. */
    async read(name: string): Promise<string> {
      const text = (await (SECRET_ARN.test(name) ? readSecret(name) : parameters.read(name)))?.trim();
      if (text === undefined) throw new Error("nothing lies under this name in this region: put the secret there");
      if (text === "") throw new Error("what lies under this name is empty: put the secret there");
      return text;
    },
    /** Whether something lies under a name. What it is stays encrypted. */
    async isThere(name: string): Promise<boolean> {
      return SECRET_ARN.test(name) ? (await askStore("DescribeSecret", name)) !== undefined : parameters.isThere(name);
    },
  };
};
