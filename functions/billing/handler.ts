import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { billing } from "./routes.ts";

export const handler = lambda(billing, () => openAws(billing.uses));
