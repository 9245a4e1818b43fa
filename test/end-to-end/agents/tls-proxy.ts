import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** Whether certificates can be made. Node cannot make any. */
export const canMakeCertificates = (): boolean => spawnSync("openssl", ["version"]).status === 0;

export type TlsProxy = Readonly<{
  /** The address for HTTPS_PROXY: every host leads to the service. */
  url: string;
  /** The file of the authority, for NODE_EXTRA_CA_CERTS. */
  authority: string;
  stop(): Promise<void>;
}>;

/**
 * Starts a proxy with TLS in front of the service, as a deployment has one. A client of it needs no
 * name server, because the proxy takes every host for the service.
 */
export async function startTlsProxy(
  folder: string,
  { hostname, service }: Readonly<{ hostname: string; service: URL }>,
): Promise<TlsProxy> {
  const { key, certificate, authority } = makeCertificates(folder, hostname);
  const secure = createTlsServer({ key, cert: certificate }, (incoming, outgoing) => {
    const forwarded = request(
      {
        ...{ host: service.hostname, port: service.port, path: incoming.url ?? "/" },
        ...(incoming.method !== undefined && { method: incoming.method }),
        headers: {
          ...incoming.headers,
          "x-forwarded-proto": "https",
          "x-forwarded-for": "198.51.100.7",
        },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const proxy = createServer((_, response) => response.writeHead(405).end());
  proxy.on("connect", (_, socket) => {
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    secure.emit("connection", socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // Safe: a server that listens on a port has an address.
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    authority,
    stop: () =>
      new Promise((resolve) => {
        secure.closeAllConnections();
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

/** Makes an authority and its certificate for a host. */
function makeCertificates(folder: string, hostname: string) {
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    ...["req", "-x509", ...curve, "-days", "2", "-subj", "/CN=Test authority"],
    ...["-keyout", file("authority.key"), "-out", file("authority.pem")],
  );
  openssl(
    ...["req", ...curve, "-subj", `/CN=${hostname}`],
    ...["-keyout", file("host.key"), "-out", file("host.csr")],
  );
  writeFileSync(file("host.ext"), `subjectAltName=DNS:${hostname}\n`);
  openssl(
    ...["x509", "-req", "-in", file("host.csr"), "-days", "2", "-extfile", file("host.ext")],
    ...["-CA", file("authority.pem"), "-CAkey", file("authority.key"), "-CAcreateserial"],
    ...["-out", file("host.pem")],
  );
  return {
    key: readFileSync(file("host.key")),
    certificate: readFileSync(file("host.pem")),
    authority: file("authority.pem"),
  };
}
