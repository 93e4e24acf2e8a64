import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { issueList } from "./issue-list/routes.ts";

export const handler = lambda(issueList, () => openAws(issueList.uses));
