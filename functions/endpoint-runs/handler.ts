import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { endpointRuns } from "./routes.ts";

export const handler = lambda(endpointRuns, () => openAws(endpointRuns.uses));
