import { lambda } from "../../lib/http/lambda.ts";
import { openAws } from "../../lib/world/aws.ts";
import { capture } from "./group.ts";

export const handler = lambda(capture, async () => openAws(capture.uses));
