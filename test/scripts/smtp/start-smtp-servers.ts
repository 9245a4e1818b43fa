import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { certificate } from "./certificate.ts";

/** A message as it arrived at a server. */
export type ArrivedMessage = Readonly<{ isSecure: boolean; user: string | undefined; raw: string }>;

/** What a server saw beside messages: each login, also a refused one. */
type Seen = { arrived: ArrivedMessage[]; logins: string[] };

export type TestServer = Readonly<{ port: number; seen: Seen; stop(): Promise<void> }>;

/**
 * Starts a real SMTP server. It knows the login `u@x` with the password `p:w/`, no mailbox that
 * begins with "gone", is busy for one that begins with "busy", and takes a message to one that begins
 * with "lost" without an answer.
 */
export async function startSmtpServer(options: SMTPServerOptions): Promise<TestServer> {
  const seen: Seen = { arrived: [], logins: [] };
  const server = new SMTPServer({
    ...certificate,
    logger: false,
    ...options,
    onAuth({ username = "", password }, _session, done) {
      seen.logins.push(username);
      if (username === "u@x" && password === "p:w/") return done(null, { user: username });
      done(new Error("wrong login"));
    },
    onRcptTo({ address }, _session, done) {
      if (address.startsWith("gone")) return done(refusalWith(550));
      if (address.startsWith("busy")) return done(refusalWith(451));
      done();
    },
    onData(stream, { secure, user }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString();
        seen.arrived.push({ isSecure: secure, user: user?.toString(), raw });
        if (raw.includes("To: lost@")) dropConnections(server);
        else done();
      });
    },
  });
  server.on("error", () => {}); // a client that breaks a connection off is part of the tests
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo; // safe: it listens on a port
  return {
    port,
    seen,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** `connections` and `_socket` are not part of the library's types. */
function dropConnections(server: object): void {
  const { connections }: { connections?: Iterable<{ _socket: { destroy(): void } }> } = server;
  for (const { _socket: socket } of connections ?? []) socket.destroy();
}

const refusalWith = (responseCode: number): Error =>
  Object.assign(new Error("refused"), { responseCode });
