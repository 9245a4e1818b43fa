import { z } from "@hono/zod-openapi";
import type { Fetch } from "../../../shared/kernel/index.ts";
import {
  africasTalkingSender,
  consoleSender,
  type EmailSender,
  type Message,
  parseSender,
  resendSender,
  type Senders,
  type SmsSender,
  twilioSender,
} from "../../../shared/messaging/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { Settings } from "../../runtime/settings.ts";
import { cloudflareSender } from "./cloudflare-sender.ts";
import { parseSmtpUrl, smtpSender } from "./smtp-sender.ts";

const required = z.string().min(1);

const Twilio = z.object({
  TWILIO_ACCOUNT_SID: required,
  TWILIO_AUTH_TOKEN: required,
  TWILIO_FROM: required,
});
const AfricasTalking = z.object({
  AFRICAS_TALKING_USERNAME: required,
  AFRICAS_TALKING_API_KEY: required,
  AFRICAS_TALKING_FROM: required.optional(),
});
const Resend = z.object({ RESEND_API_KEY: required, EMAIL_FROM: required });

const Smtp = z.object({
  SMTP_URL: z.string().transform((url, { addIssue }) => {
    const server = parseSmtpUrl(url);
    if (server) return server;
    addIssue({ code: "custom", message: "must be smtp:// or smtps://user:password@host:port." });
    return z.NEVER;
  }),
  EMAIL_FROM: required,
});
const Cloudflare = z.object({ EMAIL_FROM: required });

const transport: { fetch: Fetch } = { fetch: (url, init) => fetch(url, init) };

/** The SMS and e-mail providers that the deployment's settings select. */
export const messageSenders = (
  env: object,
  { smsProvider, emailProvider }: Pick<Settings, "smsProvider" | "emailProvider">,
): Senders => ({ sms: smsSender(env, smsProvider), email: emailSender(env, emailProvider) });

function smsSender(env: object, provider: Settings["smsProvider"]): SmsSender | null {
  switch (provider) {
    case undefined:
      return null;
    case "console":
      return terminalSender(env);
    case "twilio": {
      const settings = parseProviderSettings(Twilio, env);
      return twilioSender(
        {
          accountSid: settings.TWILIO_ACCOUNT_SID,
          authToken: settings.TWILIO_AUTH_TOKEN,
          from: settings.TWILIO_FROM,
        },
        { ...transport, now: runtime.now },
      );
    }
    case "africas_talking": {
      const settings = parseProviderSettings(AfricasTalking, env);
      return africasTalkingSender(
        {
          username: settings.AFRICAS_TALKING_USERNAME,
          apiKey: settings.AFRICAS_TALKING_API_KEY,
          from: settings.AFRICAS_TALKING_FROM ?? null,
        },
        transport,
      );
    }
  }
}

function emailSender(env: object, provider: Settings["emailProvider"]): EmailSender | null {
  switch (provider) {
    case undefined:
      return null;
    case "console":
      return terminalSender(env);
    case "resend": {
      const settings = parseProviderSettings(Resend, env);
      return resendSender(
        { apiKey: settings.RESEND_API_KEY, from: settings.EMAIL_FROM },
        transport,
      );
    }
    case "smtp": {
      const settings = parseProviderSettings(Smtp, env);
      return smtpSender(settings.SMTP_URL, settings.EMAIL_FROM);
    }
    case "cloudflare":
      return cloudflareSender(env, parseProviderSettings(Cloudflare, env).EMAIL_FROM);
  }
}

const Sender = z.object({ EMAIL_FROM: z.string().optional() });

/** The deployment's own address for e-mail. */
export function senderEmailOf(env: object): string | null {
  const { EMAIL_FROM: from } = Sender.parse(env);
  return from ? parseSender(from).email : null;
}

const Mailbox = z.object({ MAILBOX_URL: z.url().optional() });

/** Whether messages are kept for `/dev/messages` and not sent. */
export const hasMailbox = (env: object): boolean => Mailbox.parse(env).MAILBOX_URL !== undefined;

/** Shows messages in the terminal and, where `npm run dev` keeps them, at `/dev/messages`. */
function terminalSender(env: object) {
  const { MAILBOX_URL: url } = Mailbox.parse(env);
  return consoleSender(
    (line) => console.log(line),
    async (message) => {
      if (url === undefined) return true;
      const body = JSON.stringify(toCaughtMessage(message));
      return (await fetch(url, { method: "POST", body })).status !== 422;
    },
  );
}

/** The message in the form of `/dev/messages`. */
function toCaughtMessage(message: Message): object {
  const { id, channel, to, name = "one_time_code", text } = message;
  if (message.channel === "sms") return { id, channel, to, name, text };
  const { subject, html, attachments = [] } = message;
  return {
    ...{ id, channel, to, name, subject, html, text },
    attachments: attachments.map(({ filename, contentType, content }) => ({
      ...{ filename, content_type: contentType, content },
    })),
  };
}

function parseProviderSettings<T>(schema: z.ZodType<T>, env: object): T {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`Setting ${issue?.path.join(".")}: ${issue?.message}. See .dev.vars.example.`);
}
