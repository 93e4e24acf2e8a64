import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { code } from "./routes.ts";

export const handler = lambda(code, () => openAws(code.uses));
