import { parseSmtpUrl, smtpSender } from "../../../functions/background/senders/smtp-sender.ts";

/** A Worker that sends the e-mail of a request through the server of its URL. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { url, message } = Object(await request.json());
    const server = parseSmtpUrl(String(url));
    if (!server) return Response.json({ type: "no server" });
    return Response.json(await smtpSender(server, "Duka <shop@duka.example>").send(message));
  },
};
