import { Agent, request } from "node:http";

/** Requests under way at once. */
export const CONNECTIONS = 4;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/**
 * Posts a body over kept connections. The server may have closed one while this process had no time to see it: what was sent over
 * such a one goes once more, over another. It may come twice then, which is no matter, because events are known by their identity.
 */
export const post = (url: string, body: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip", "content-length": body.length };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`))));
      response.on("error", reject);
    });
    sent.on("error", (error) => (sent.reusedSocket && isStale(error) ? post(url, body).then(resolve, reject) : reject(error))).end(body);
  });

const isStale = (error: Error): boolean => "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
