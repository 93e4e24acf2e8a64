import type { Group } from "../../lib/app/routes.ts";
import { DESCRIPTION, TAGS, TITLE } from "./about.ts";
import { type Hosts, UNKNOWN_HOSTS, underHosts } from "./hosts.ts";

/** Gives the API's description, OpenAPI as JSON, under these addresses. */
export type Describe = (hosts: Hosts) => Promise<string>;

/**
 * The description as the registry makes it, once for all requests. It is given the registry because the registry holds the group that
 * serves it.
 */
export const madeOf = (groups: () => readonly Group[]): Describe => {
  let text: Promise<string> | undefined;
  return async (hosts) => {
    text ??= descriptionText(groups());
    return underHosts(await text, hosts);
  };
};

const descriptionText = async (groups: readonly Group[]): Promise<string> => {
  const [{ openapi }, { FIELDS }, { recordedExamples, withExamples }] = await Promise.all([
    import("../../lib/http/openapi.ts"),
    import("./fields.ts"),
    import("./examples.ts"),
  ]);
  const document = openapi(groups, { title: TITLE, description: DESCRIPTION, tags: TAGS, fields: FIELDS, ...UNKNOWN_HOSTS });
  return JSON.stringify(withExamples(document, await recordedExamples()));
};
