import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { endpoints } from "./routes.ts";

export const handler = lambda(endpoints, () => openAws(endpoints.uses));
