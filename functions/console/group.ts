import { rawGroup } from "../../lib/app/raw-group.ts";
import type { Group } from "../../lib/app/routes.ts";
import type { ReadConsole } from "../../lib/console/files.ts";
import { consolePage } from "../../lib/console/page.ts";
import { type ApiError, methodNotAllowed, unknownPath } from "../../lib/http/errors.ts";
import { asksForPage, type HttpReply, type HttpRequest } from "../../lib/http/request.ts";
import { router } from "../../lib/http/router.ts";
import { FOR_EVER, sendStatic } from "../../lib/http/static-file.ts";

/**
 * The page reads what follows `/project/` itself: a project, a view, and what is open in it. `/organization/billing` is where the API
 * sends people who want to see their invoices, and who may not know a project.
 */
const PATHS = ["/", "/project/{proxy+}", "/organization/billing/", "/console/{file}/"];

const fileAt = router([{ path: "/console/{file}/", value: "file" }] as const);
const METHODS = ["GET", "HEAD", "OPTIONS"];

/** The page for people: one page for every address, and the files that it loads. Needs no key: what it shows, it asks the API for. */
export const consoleGroup = (read: ReadConsole): Group =>
  rawGroup({
    name: "console",
    gateway: "management",
    uses: {},
    paths: PATHS,
    bodyBytes: () => 0,
    async serve(request) {
      const reply = await answer(request, read);
      return request.method === "HEAD" ? { ...reply, body: "" } : reply;
    },
  });

const answer = async (request: HttpRequest, read: ReadConsole): Promise<HttpReply> => {
  if (!METHODS.includes(request.method)) return refused(methodNotAllowed(request.method, METHODS));
  if (request.method === "OPTIONS") return { status: 200, headers: { allow: METHODS.join(", ") }, body: "" };
  const file = fileAt(request.path)?.params.file;
  if (file !== undefined) return sendFile(request, file, read);
  return asksForPage(request) ? consolePage(request, read) : refused(unknownPath());
};

const sendFile = async (request: HttpRequest, name: string, read: ReadConsole): Promise<HttpReply> => {
  const file = (await read()).byName.get(name);
  const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (file === undefined || mediaType === undefined) return refused(unknownPath());
  const reply = sendStatic(request, file, { mediaType, caching: name === "icon.svg" ? A_DAY : FOR_EVER });
  return { ...reply, headers: { ...reply.headers, "x-content-type-options": "nosniff" } };
};

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** The icon keeps its name when it changes. */
const A_DAY = "public, max-age=86400";

const refused = ({ status, headers, body }: ApiError): HttpReply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
