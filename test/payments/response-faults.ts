import type { IncomingMessage, ServerResponse } from "node:http";

export type ResponseFault = (response: ServerResponse, text: string) => void;

/** Faults in the response of a completed call, by the first part of the path. */
export const responseFaults: Readonly<Record<string, ResponseFault>> = {
  slow: () => {}, // never responds
  cut: (response, text) => {
    response.writeHead(200, { "Content-Length": String(text.length) });
    response.write(text.slice(0, 20), () => response.destroy());
  },
  half: (response, text) => response.writeHead(200).end(text.slice(0, text.length / 2)),
  moved: (response) => {
    const elsewhere = response.req.url?.replace(/^\/[^/]+/, ""); // the address that would respond
    response.writeHead(307, { Location: elsewhere }).end();
  },
  closed: (response) => response.destroy(),
  page: (response) => response.writeHead(502).end("<html>Bad gateway</html>"),
  long: (response, text) => {
    response.writeHead(200);
    response.end(text.replace(/}$/, `,"more":"${"x".repeat(600_000)}"}`));
  },
  dripping: (response) => {
    response.writeHead(200);
    const drip = () => {
      if (response.destroyed) return;
      response.write(" ");
      setTimeout(drip, 20);
    };
    drip();
  },
};

/** The body of a request. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
