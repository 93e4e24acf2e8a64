import { openAws } from "../../lib/aws/aws.ts";
import { putOffIn } from "../../lib/aws/put-off.ts";
import { sqsHandler } from "../../lib/lambda/consumer.ts";
import { ingestLive } from "./consumers.ts";

export const handler = sqsHandler(ingestLive, () => openAws(ingestLive.uses), putOffIn("live"));
