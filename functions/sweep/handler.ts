import { scheduleHandler } from "../../lib/http/consumer.ts";
import { openAws } from "../../lib/world/aws.ts";
import { sweeping } from "./schedule.ts";

export const handler = scheduleHandler(sweeping, () => openAws(sweeping.uses));
