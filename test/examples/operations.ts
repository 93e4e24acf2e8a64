import { groups } from "../../functions/index.ts";
import { openapi } from "../../lib/http/openapi.ts";
import { type DescribedOperation, readDescription } from "../fuzz/api/description.ts";

const FACTS = { title: "", description: "", baseUrl: "https://api.example.org", ingestUrl: "https://api.example.org", tags: {} };

/** The API's operations as their routes alone describe them: without what was recorded of them before. */
export const routeOperations = (): readonly DescribedOperation[] => readDescription(JSON.stringify(openapi(groups, FACTS))).operations;
