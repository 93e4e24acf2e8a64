import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Whoever tracks issues and holds code, as far as it is asked here: one repository with one issue and one file. */
export interface Provider {
  readonly origin: string;
  close(): void;
}

const ISSUE = { number: 7, title: "Checkout fails", repository_url: "https://api.github.com/repos/acme/shop" };
const FILE = { html_url: "https://github.com/acme/shop/blob/main/app/cart.py", repository: { full_name: "acme/shop" } };

const ANSWERS: Readonly<Record<string, unknown>> = {
  "GET /search/issues": { items: [ISSUE] },
  "POST /repos/acme/shop/issues": { ...ISSUE, number: 8 },
  "GET /search/code": { items: [FILE] },
  "GET /api/v4/projects/acme%2Fshop/search": [{ path: "app/cart.py", ref: "main" }],
};

export const startProvider = async (): Promise<Provider> => {
  const server = createServer((request, response) => {
    const answer = ANSWERS[`${request.method} ${(request.url ?? "").replace(/\?.*/, "")}`];
    request.resume();
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { message: "Not Found" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
