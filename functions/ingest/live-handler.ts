import { openAws } from "../../lib/aws/aws.ts";
import { delayRetryOn } from "../../lib/aws/delay-retry.ts";
import { sqsHandler } from "../../lib/lambda/consumer.ts";
import { ingestLive } from "./consumers.ts";

export const handler = sqsHandler(ingestLive, () => openAws(ingestLive.uses), delayRetryOn("live"));
