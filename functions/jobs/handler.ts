import { openAws } from "../../lib/aws/aws.ts";
import { putOffIn } from "../../lib/aws/put-off.ts";
import { sqsHandler } from "../../lib/lambda/consumer.ts";
import { jobs } from "./consumer.ts";

export const handler = sqsHandler(jobs, () => openAws(jobs.uses), putOffIn("jobs"));
