import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { health } from "./routes.ts";

export const handler = lambda(health, () => openAws(health.uses));
