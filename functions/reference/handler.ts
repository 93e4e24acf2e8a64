import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { reference } from "./group.ts";

export const handler = lambda(reference, () => openAws(reference.uses));
