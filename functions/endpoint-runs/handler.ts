import { lambda } from "../../lib/http/lambda.ts";
import { openAws } from "../../lib/world/aws.ts";
import { endpointRuns } from "./routes.ts";

export const handler = lambda(endpointRuns, () => openAws(endpointRuns.uses));
