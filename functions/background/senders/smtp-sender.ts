import { connect as connectPlain } from "node:net";
import { connect as connectTls } from "node:tls";
import { second } from "../../../shared/kernel/index.ts";
import type { Attachment, EmailSender, SendResult } from "../../../shared/messaging/index.ts";
import { displayName, parseSender, unsubscribeHeaders } from "../../../shared/messaging/index.ts";

/** Where and how e-mail is sent, as SMTP_URL names it. */
export type SmtpServer = Readonly<{
  host: string;
  port: number;
  /** Whether the connection begins with TLS. Otherwise it is upgraded by STARTTLS. */
  isSecure: boolean;
  /** Whether a server may be used that offers no TLS; only for one on this machine. */
  allowsPlain: boolean;
  credentials: Readonly<{ user: string; password: string }> | null;
}>;

const timeoutMs = 10 * second;
const ports = { "smtp:": 587, "smtps:": 465 } as const;

/** Parses `smtp://user:password@host:port` or `smtps://…`; null for another address. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "")
    return null;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: url.port === "" ? ports[url.protocol] : Number(url.port),
    isSecure: url.protocol === "smtps:",
    allowsPlain: ["localhost", "127.0.0.1", "::1"].includes(host),
    credentials:
      url.username === ""
        ? null
        : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
  };
}

let loaded: Promise<typeof import("nodemailer")> | null = null;

/** Loads the library with the first e-mail, because it is large. */
const loadLibrary = () => {
  loaded ??= import("nodemailer");
  return loaded;
};

/**
 * Sends e-mail through an SMTP server. The Message-ID stays the same in every attempt, so that a
 * mailbox can recognise a repeat; the protocol itself cannot.
 */
export const smtpSender = (server: SmtpServer, from: string): EmailSender => ({
  name: "smtp",
  async send({ id, to, subject, text, html, attachments = [], senderName, replyTo, ...message }) {
    const sender = parseSender(from);
    const messageId = `<${id}@${sender.email.split("@").pop()}>`;
    const name = senderName ?? sender.name;
    try {
      const { createTransport } = await loadLibrary();
      const connection = await openConnection(server);
      const transport = createTransport({
        host: server.host,
        port: server.port,
        connection,
        secure: server.isSecure,
        secured: server.isSecure,
        requireTLS: !server.isSecure && !server.allowsPlain,
        ...(server.credentials && {
          auth: { user: server.credentials.user, pass: server.credentials.password },
        }),
        ...{ greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
        // Values of customers never name files or addresses to read.
        ...{ disableFileAccess: true, disableUrlAccess: true },
      });
      await transport.sendMail({
        from: { name: name === null ? "" : displayName(name), address: sender.email },
        ...{ to: addressOnly(to), subject, text, messageId },
        ...(html !== undefined && { html }),
        ...(replyTo && { replyTo: addressOnly(replyTo) }),
        headers: { ...unsubscribeHeaders(message.unsubscribeUrl) },
        attachments: attachments.map(toSmtpAttachment),
      });
      return { type: "sent", providerId: messageId };
    } catch (error) {
      return resultOf(error);
    }
  },
});

/** An address as it is. The library would read a text as a list of addresses with names. */
const addressOnly = (address: string) => ({ name: "", address });

const toSmtpAttachment = ({ filename, contentType, content }: Attachment) => ({
  filename,
  contentType,
  content,
});

/** Connects by name, because the library would look the address up over HTTPS. */
function openConnection({ host, port, isSecure }: SmtpServer) {
  return new Promise<ReturnType<typeof connectPlain>>((resolve, reject) => {
    const socket = isSecure
      ? connectTls({ host, port, servername: host }, onOpen)
      : connectPlain({ host, port }, onOpen);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error("timeout"));
    }, timeoutMs);
    socket.once("error", reject);
    function onOpen() {
      clearTimeout(timer);
      socket.off("error", reject);
      resolve(socket);
    }
  });
}

/** Replies of a server that say that the address does not exist. */
const bounceCodes: readonly number[] = [550, 551, 553];

/**
 * A permanent refusal of the recipient or the message is final. Everything else may pass: a server
 * that does not answer, one that is busy, and wrong credentials, which the operator replaces.
 */
function resultOf(error: unknown): SendResult {
  const { code, command, responseCode } = Object(error);
  const reason = typeof responseCode === "number" ? `reply ${responseCode}` : "connection failed";
  const isFinal = typeof responseCode === "number" && responseCode >= 500 && code !== "EAUTH";
  if (!isFinal)
    return {
      type: "no_answer",
      reason: code === "EAUTH" ? "login refused" : reason,
      retryAfterMs: null,
    };
  const isRecipient = command === "RCPT TO";
  if (command !== "DATA" && !isRecipient) return { type: "no_answer", reason, retryAfterMs: null };
  return { type: "refused", reason, isBounce: isRecipient && bounceCodes.includes(responseCode) };
}
