import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { keys } from "./routes.ts";

export const handler = lambda(keys, () => openAws(keys.uses));
