import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { llmAnalytics } from "./routes.ts";

export const handler = lambda(llmAnalytics, () => openAws(llmAnalytics.uses));
