import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { dashboards } from "./routes.ts";

export const handler = lambda(dashboards, () => openAws(dashboards.uses));
