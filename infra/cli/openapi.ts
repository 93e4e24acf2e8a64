import { describeGroups } from "../../functions/docs/description.ts";
import { groups } from "../../functions/index.ts";

const describe = describeGroups(() => groups);
const text = await describe({ baseUrl: "https://api.example.org", ingestUrl: "https://ingest.example.org" });
console.log(JSON.stringify(JSON.parse(text), null, 2));
