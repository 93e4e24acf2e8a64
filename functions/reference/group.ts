import { rawGroup } from "../../lib/app/raw-group.ts";
import { type ApiError, methodNotAllowed, unknownPath } from "../../lib/http/errors.ts";
import type { HttpReply, HttpRequest } from "../../lib/http/request.ts";
import { router } from "../../lib/http/router.ts";
import { FOR_EVER, sendStatic } from "../../lib/http/static-file.ts";
import { referenceScript } from "./script.ts";

const DECLARED = [
  { path: "/docs/", value: "page" },
  { path: "/docs/{file}/", value: "script" },
] as const;

const pathAt = router(DECLARED);
const METHODS = ["GET", "HEAD", "OPTIONS"];

/** The API's description as pages that people read, made in their browsers. Needs no key. */
export const reference = rawGroup({
  name: "reference",
  gateway: "management",
  uses: {},
  paths: DECLARED.map(({ path }) => path),
  bodyBytes: () => 0,
  async serve(request) {
    const reply = await answer(request);
    return request.method === "HEAD" ? { ...reply, body: "" } : reply;
  },
});

const answer = async (request: HttpRequest): Promise<HttpReply> => {
  const match = pathAt(request.path);
  if (!METHODS.includes(request.method)) return refused(methodNotAllowed(request.method, METHODS));
  if (request.method === "OPTIONS") return { status: 200, headers: { allow: METHODS.join(", ") }, body: "" };
  const { name, file } = await referenceScript();
  if (match?.value === "page") return page(request, name);
  if (match?.params.file !== name) return refused(unknownPath());
  return sendStatic(request, file, { mediaType: "text/javascript; charset=utf-8", caching: FOR_EVER });
};

const refused = ({ status, headers, body }: ApiError): HttpReply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** The sources that the page may load from: its script, the description and the pictures and fonts within the script. The script writes its own styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
} as const;

/** The page that shows the API's description. Its addresses are relative, because a host may lie below a path of its own. */
const page = ({ path }: HttpRequest, script: string): HttpReply => {
  const root = path.endsWith("/") ? "../" : "./";
  const options = 'disable-telemetry="true" hide-download-buttons="true"';
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 }</style>
<script type="module" src="${root}docs/${script}"></script>
</head>
<body>
<redoc spec-url="${root}api/schema/" ${options}></redoc>
</body>
</html>
`;
  return { status: 200, headers: HEADERS, body };
};
