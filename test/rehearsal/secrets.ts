import * as z from "zod";
import type { ServiceRequest } from "./asks.ts";
import type { Answer } from "./services.ts";

/** A parameter of Systems Manager, or a secret of Secrets Manager under its ARN. */
export interface Secret {
  readonly value: string;
  /** The key of the account's own with which it is encrypted; with the service's own when left out. */
  readonly key?: string;
}

export interface Secrets {
  get(name: string): Secret | undefined;
  answer(request: ServiceRequest): Answer;
}

const Asked = z.object({
  Name: z.string().default(""),
  Names: z.array(z.string()).default([]),
  Path: z.string().default(""),
  Recursive: z.boolean().default(false),
  Value: z.string().default(""),
  Overwrite: z.boolean().default(false),
  WithDecryption: z.boolean().default(false),
  SecretId: z.string().default(""),
});

const TYPE = "application/x-amz-json-1.1";
const said = (value: unknown): Answer => ({ status: 200, type: TYPE, body: JSON.stringify(value) });
const refused = (kind: string): Answer => ({ status: 400, type: TYPE, body: JSON.stringify({ __type: kind }) });

/** Parameters and secrets, all of them encrypted: who does not ask for the text gets something else. */
export const openSecrets = (given: Readonly<Record<string, Secret>>): Secrets => {
  const kept = new Map(Object.entries(given));
  const parameter = (name: string, asked: z.output<typeof Asked>): object => {
    const value = asked.WithDecryption ? kept.get(name)?.value : "AQICAHh…";
    return { Name: name, Type: "SecureString", Value: value, Version: 1, ARN: name };
  };
  return {
    get: (name) => kept.get(name),
    answer({ headers, body }) {
      const asked = Asked.parse(JSON.parse(body.toString()));
      const { Name, Names, Path, Recursive, SecretId, Value, Overwrite } = asked;
      switch (headers["x-amz-target"]?.split(".").at(-1)) {
        case "GetParameter":
          return kept.has(Name) ? said({ Parameter: parameter(Name, asked) }) : refused("ParameterNotFound");
        case "GetParameters": {
          const [there, absent] = [Names.filter((name) => kept.has(name)), Names.filter((name) => !kept.has(name))];
          return said({ Parameters: there.map((name) => parameter(name, asked)), InvalidParameters: absent });
        }
        case "GetParametersByPath": {
          const folder = `${Path.replace(/\/$/, "")}/`;
          const isIn = (name: string) => name.startsWith(folder) && (Recursive || !name.slice(folder.length).includes("/"));
          return said({ Parameters: [...kept.keys()].filter(isIn).map((name) => parameter(name, asked)) });
        }
        case "PutParameter":
          if (kept.has(Name) && !Overwrite) return refused("ParameterAlreadyExists");
          kept.set(Name, { ...kept.get(Name), value: Value });
          return said({ Version: 1, Tier: "Standard" });
        case "GetSecretValue":
          return kept.has(SecretId)
            ? said({ ARN: SecretId, SecretString: kept.get(SecretId)?.value })
            : refused("ResourceNotFoundException");
        default:
          return refused("InvalidAction");
      }
    },
  };
};
