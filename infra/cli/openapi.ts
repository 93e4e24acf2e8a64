import { DESCRIPTION, TAGS, TITLE } from "../../functions/docs/about.ts";
import { groups } from "../../functions/index.ts";
import { openapi } from "../../lib/http/openapi/openapi.ts";

const urls = { baseUrl: "https://api.example.org", ingestUrl: "https://ingest.example.org" };
console.log(JSON.stringify(openapi(groups, { title: TITLE, description: DESCRIPTION, tags: TAGS, ...urls }), null, 2));
