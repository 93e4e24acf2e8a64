import { openAws } from "../../lib/aws/aws.ts";
import { scheduleHandler } from "../../lib/lambda/schedule.ts";
import { closing } from "./schedule.ts";

export const handler = scheduleHandler(closing, () => openAws(closing.uses));
