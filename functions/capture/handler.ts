import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { capture } from "./group.ts";

export const handler = lambda(capture, async () => openAws(capture.uses));
