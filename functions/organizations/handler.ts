import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { organizations } from "./routes.ts";

export const handler = lambda(organizations, () => openAws(organizations.uses));
