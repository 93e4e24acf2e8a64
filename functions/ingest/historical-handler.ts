import { openAws } from "../../lib/aws/aws.ts";
import { sqsHandler } from "../../lib/lambda/consumer.ts";
import { ingestHistorical } from "./consumers.ts";

export const handler = sqsHandler(ingestHistorical, () => openAws(ingestHistorical.uses));
