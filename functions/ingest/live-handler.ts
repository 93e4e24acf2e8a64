import { sqsHandler } from "../../lib/http/consumer.ts";
import { openAws } from "../../lib/world/aws.ts";
import { ingestLive } from "./consumers.ts";

export const handler = sqsHandler(ingestLive, () => openAws(ingestLive.uses));
