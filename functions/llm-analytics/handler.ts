import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { llmAnalytics } from "./routes.ts";

// Every call runs a query, so what runs it is loaded while the function starts.
await import("./spend.ts");

export const handler = lambda(llmAnalytics, () => openAws(llmAnalytics.uses));
