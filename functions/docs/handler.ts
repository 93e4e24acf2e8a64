import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { docs } from "./group.ts";
import { stored } from "./stored-description.ts";

const group = docs(stored);

export const handler = lambda(group, () => openAws(group.uses));
