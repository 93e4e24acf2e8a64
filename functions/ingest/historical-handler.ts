import { openAws } from "../../lib/aws/aws.ts";
import { putOffIn } from "../../lib/aws/put-off.ts";
import { sqsHandler } from "../../lib/lambda/consumer.ts";
import { ingestHistorical } from "./consumers.ts";

export const handler = sqsHandler(ingestHistorical, () => openAws(ingestHistorical.uses), putOffIn("historical"));
