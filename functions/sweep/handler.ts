import { openAws } from "../../lib/aws/aws.ts";
import { scheduleHandler } from "../../lib/lambda/schedule.ts";
import { sweeping } from "./schedule.ts";

export const handler = scheduleHandler(sweeping, () => openAws(sweeping.uses));
