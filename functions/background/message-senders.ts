import { z } from "@hono/zod-openapi";
import type { Fetch } from "../../shared/kernel/index.ts";
import {
  africasTalkingSender,
  consoleSender,
  type EmailSender,
  resendSender,
  type Senders,
  type SmsSender,
  twilioSender,
} from "../../shared/messaging/index.ts";
import { chance } from "../runtime/runtime.ts";
import type { Settings } from "../runtime/settings.ts";

const needed = z.string().min(1);

const Twilio = z.object({
  TWILIO_ACCOUNT_SID: needed,
  TWILIO_AUTH_TOKEN: needed,
  TWILIO_FROM: needed,
});
const AfricasTalking = z.object({
  AFRICAS_TALKING_USERNAME: needed,
  AFRICAS_TALKING_API_KEY: needed,
  AFRICAS_TALKING_FROM: needed.optional(),
});
const Resend = z.object({ RESEND_API_KEY: needed, EMAIL_FROM: needed });

const reach: { fetch: Fetch } = { fetch: (url, init) => fetch(url, init) };

/** The providers that the deployment's settings choose, with their own settings beside them. */
export const messageSenders = (
  env: object,
  { smsProvider, emailProvider }: Pick<Settings, "smsProvider" | "emailProvider">,
): Senders => ({ sms: smsSender(env, smsProvider), email: emailSender(env, emailProvider) });

function smsSender(env: object, provider: Settings["smsProvider"]): SmsSender | null {
  switch (provider) {
    case undefined:
      return null;
    case "console":
      return toTerminal;
    case "twilio": {
      const settings = settingsIn(Twilio, env);
      return twilioSender(
        {
          accountSid: settings.TWILIO_ACCOUNT_SID,
          authToken: settings.TWILIO_AUTH_TOKEN,
          from: settings.TWILIO_FROM,
        },
        { ...reach, now: chance.now },
      );
    }
    case "africas_talking": {
      const settings = settingsIn(AfricasTalking, env);
      return africasTalkingSender(
        {
          username: settings.AFRICAS_TALKING_USERNAME,
          apiKey: settings.AFRICAS_TALKING_API_KEY,
          from: settings.AFRICAS_TALKING_FROM ?? null,
        },
        reach,
      );
    }
  }
}

function emailSender(env: object, provider: Settings["emailProvider"]): EmailSender | null {
  switch (provider) {
    case undefined:
      return null;
    case "console":
      return toTerminal;
    case "resend": {
      const settings = settingsIn(Resend, env);
      return resendSender({ apiKey: settings.RESEND_API_KEY, from: settings.EMAIL_FROM }, reach);
    }
  }
}

const toTerminal = consoleSender((line) => console.log(line));

function settingsIn<T>(schema: z.ZodType<T>, env: object): T {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`Setting ${issue?.path.join(".")}: ${issue?.message}. See .dev.vars.example.`);
}
