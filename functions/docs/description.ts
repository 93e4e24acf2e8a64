import type { Group } from "../../lib/app/routes.ts";
import { DESCRIPTION, TAGS, TITLE } from "./about.ts";

/** The addresses of the two hosts, without a final slash. */
export interface Hosts {
  readonly baseUrl: string;
  readonly ingestUrl: string;
}

/** Gives the API's description, OpenAPI as JSON, under these addresses. */
export type Describe = (hosts: Hosts) => Promise<string>;

/** The description as the registry makes it. It is given the registry because the registry holds the group that serves it. */
export const madeOf =
  (groups: () => readonly Group[]): Describe =>
  async (hosts) => {
    const [{ openapi }, { FIELDS }, { recordedExamples, withExamples }] = await Promise.all([
      import("../../lib/http/openapi/openapi.ts"),
      import("./fields.ts"),
      import("./examples.ts"),
    ]);
    const document = openapi(groups(), { title: TITLE, description: DESCRIPTION, tags: TAGS, fields: FIELDS, ...hosts });
    return JSON.stringify(withExamples(document, await recordedExamples()));
  };
