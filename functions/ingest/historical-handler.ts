import { sqsHandler } from "../../lib/http/consumer.ts";
import { openAws } from "../../lib/world/aws.ts";
import { ingestHistorical } from "./consumers.ts";

export const handler = sqsHandler(ingestHistorical, () => openAws(ingestHistorical.uses));
