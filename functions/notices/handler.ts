import { openAws } from "../../lib/aws/aws.ts";
import { scheduleHandler } from "../../lib/lambda/schedule.ts";
import { notices } from "./schedule.ts";

export const handler = scheduleHandler(notices, () => openAws(notices.uses));
