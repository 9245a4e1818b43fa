import { createServer } from "node:net";

/** Whether nothing listens on the port, on either of localhost's addresses. */
export async function isFree(port: number): Promise<boolean> {
  const free = await Promise.all(["127.0.0.1", "::1"].map((host) => canListen(port, host)));
  return free.every(Boolean);
}

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has no ::1 to be taken.
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRNOTAVAIL"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
