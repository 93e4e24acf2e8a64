import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { endpointTrials } from "./routes.ts";

export const handler = lambda(endpointTrials, () => openAws(endpointTrials.uses));
