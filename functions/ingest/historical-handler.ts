import { openAws } from "../../lib/aws/aws.ts";
import { delayRetryOn } from "../../lib/aws/delay-retry.ts";
import { sqsHandler } from "../../lib/lambda/consumer.ts";
import { ingestHistorical } from "./consumers.ts";

export const handler = sqsHandler(ingestHistorical, () => openAws(ingestHistorical.uses), delayRetryOn("historical"));
