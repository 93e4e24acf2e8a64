import { sealText, unsealText } from "../core/sealed-text.ts";
import type { TokenKeys } from "../ports/token-keys.ts";
import type { Integration } from "./integrations.ts";

/** The settings of an integration as they lie in the table: the token is encrypted, and not among the others. */
export type StoredSettings = Pick<Integration, "config" | "sealed_token">;

type Place = Pick<Integration, "project_id" | "id">;

/** A token that no key opens: it was changed, belongs to another integration, or its key is gone. */
export class UnreadableToken extends Error {
  override readonly name = "UnreadableToken";
}

/** What is encrypted for one integration opens for no other. */
const sealedFor = ({ project_id, id }: Place): string => `integration#${project_id}#${id}`;

/** Settings as an operator gave them, with the token encrypted by the newest key. */
export const sealSettings = async (keys: TokenKeys, place: Place, given: Integration["config"]): Promise<StoredSettings> => {
  const { access_token: token, ...config } = given;
  if (typeof token !== "string") return { config, sealed_token: null };
  const { id, bytes } = await keys.make();
  return { config, sealed_token: { key: id, text: sealText(token, bytes, sealedFor(place)) } };
};

export const hasToken = ({ config, sealed_token }: Integration): boolean =>
  sealed_token !== null || (typeof config.access_token === "string" && config.access_token !== "");

/** The token of an integration; undefined where it has none. Throws `UnreadableToken`, and what the place of the keys throws. */
export const readToken = async (keys: TokenKeys, integration: Integration): Promise<string | undefined> => {
  const { config, sealed_token } = integration;
  // An earlier release has written it, perhaps after a later one.
  if (typeof config.access_token === "string") return config.access_token;
  if (sealed_token === null) return undefined;
  const key = await keys.find(sealed_token.key);
  if (key === undefined) throw new UnreadableToken(`no key is called ${sealed_token.key}`);
  try {
    return unsealText(sealed_token.text, key.bytes, sealedFor(integration));
  } catch (cause) {
    throw new UnreadableToken(
      `the key ${key.id} does not open it: it was changed, belongs to another integration, or that key is another one now`,
      { cause },
    );
  }
};

/** Settings as an operator gave them. Throws as `readToken`. */
export const readSettings = async (keys: TokenKeys, integration: Integration): Promise<Integration["config"]> => {
  const token = await readToken(keys, integration);
  return token === undefined ? integration.config : { ...integration.config, access_token: token };
};

/** Whether the token, if there is one, is encrypted by the newest key. */
export const isSealedAnew = async (keys: TokenKeys, { config, sealed_token }: Integration): Promise<boolean> => {
  if (config.access_token !== undefined) return false;
  return sealed_token === null || sealed_token.key === (await keys.newest())?.id;
};
