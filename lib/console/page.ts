import type { HttpReply, HttpRequest } from "../http/request.ts";
import type { ReadConsole } from "./files.ts";

/** The sources that the page may load from: its own host alone, and nothing that is written into the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
  vary: "accept",
} as const;

/**
 * The one page of the console, which reads the rest of its address by itself. Its own addresses are relative to the console's root,
 * because a host may lie below a path of its own.
 */
export const consolePage = async (request: Pick<HttpRequest, "method" | "path">, read: ReadConsole, status = 200): Promise<HttpReply> => {
  const { script, preloaded, style } = await read();
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="${rootOf(request.path)}">
<title>Console</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="console/${style}">
${preloaded.map((name) => `<link rel="modulepreload" href="console/${name}">\n`).join("")}<script type="module" src="console/${script}"></script>
</head>
<body>
<div id="console"></div>
<noscript>This page needs JavaScript. The API does not: see docs/.</noscript>
</body>
</html>
`;
  return { status, headers: HEADERS, body: request.method === "HEAD" ? "" : body };
};

/** The way from a path to the root, one step for each of its folders. */
const rootOf = (path: string): string => "../".repeat(Math.max(0, path.split("/").length - 2)) || "./";
