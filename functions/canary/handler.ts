import { openAws } from "../../lib/aws/aws.ts";
import { scheduleHandler } from "../../lib/lambda/schedule.ts";
import { canary } from "./schedule.ts";

export const handler = scheduleHandler(canary, () => openAws(canary.uses));
