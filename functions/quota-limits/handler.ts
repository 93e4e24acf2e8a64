import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { quotaLimits } from "./routes.ts";

export const handler = lambda(quotaLimits, () => openAws(quotaLimits.uses));
