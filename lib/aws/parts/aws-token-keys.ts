import type { TokenKeyPlace } from "../../ports/token-keys.ts";
import { openParameters } from "../aws-secrets.ts";
import type { SignedPlace } from "./signed-post.ts";

export interface ParameterPlace extends SignedPlace {
  /** The name of the parameter. */
  readonly parameter: string;
}

/** The keys of tokens in a parameter of Systems Manager. */
export const openTokenKeys = ({ parameter, ...place }: ParameterPlace): TokenKeyPlace => {
  const parameters = openParameters(place);
  return {
    read: () => parameters.read(parameter),
    create: (text) => parameters.create(parameter, text, "Keys of integrations' tokens, the newest first"),
  };
};
