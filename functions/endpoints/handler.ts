import { lambda } from "../../lib/http/lambda.ts";
import { openAws } from "../../lib/world/aws.ts";
import { endpoints } from "./routes.ts";

export const handler = lambda(endpoints, () => openAws(endpoints.uses));
