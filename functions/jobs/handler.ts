import { sqsHandler } from "../../lib/http/consumer.ts";
import { openAws } from "../../lib/world/aws.ts";
import { jobs } from "./consumer.ts";

export const handler = sqsHandler(jobs, () => openAws(jobs.uses));
