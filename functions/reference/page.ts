import type { HttpReply, HttpRequest } from "../../lib/http/request.ts";

/** What the page may load: its script, the description and the pictures and fonts within the script. The script writes its own styles. */
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
export const page = ({ path }: HttpRequest, script: string): HttpReply => {
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
