import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { errorTracking } from "./routes.ts";

export const handler = lambda(errorTracking, () => openAws(errorTracking.uses));
