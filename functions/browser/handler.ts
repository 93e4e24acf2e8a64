import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { browser } from "./group.ts";

export const handler = lambda(browser, async () => openAws(browser.uses));
