import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { customerAnalytics } from "./routes.ts";

export const handler = lambda(customerAnalytics, () => openAws(customerAnalytics.uses));
