import { openAws } from "../../lib/aws/aws.ts";
import { delayRetryOn } from "../../lib/aws/delay-retry.ts";
import { sqsHandler } from "../../lib/lambda/consumer.ts";
import { jobs } from "./consumer.ts";

export const handler = sqsHandler(jobs, () => openAws(jobs.uses), delayRetryOn("jobs"));
