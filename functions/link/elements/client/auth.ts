import { call, tokensOf } from "./api.ts";
import { runElement } from "./element.ts";
import { find, findInput, onPress, onSubmit, showOnly } from "./page.ts";

const steps = ["contact-form", "code-form", "done"] as const;

/** The wait before the service sends another code (docs/contract/link.md#link-otp-limits). */
const resendAfterSeconds = 30;

/** Shows a step and focuses its input. */
function showStep(step: (typeof steps)[number]): void {
  showOnly(step, steps);
  find(step).querySelector("input")?.focus();
}

/** Counts down to the time when another code can be sent, and then enables the button. */
function createResendTimer(button: HTMLButtonElement) {
  let timer = 0;

  function show(seconds: number): void {
    button.disabled = seconds > 0;
    button.textContent = seconds > 0 ? `Send a new code in ${seconds} seconds` : "Send a new code";
  }

  return {
    start(): void {
      clearInterval(timer);
      const endsAt = Date.now() + resendAfterSeconds * 1_000;
      show(resendAfterSeconds);
      timer = setInterval(() => {
        const seconds = Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000));
        if (seconds === 0) clearInterval(timer);
        show(seconds);
      }, 1_000);
    },
  };
}

/** The page that logs in with a one-time code. */
runElement((frame) => {
  const contact = findInput("contact");
  const code = findInput("code");
  const resendButton = find("resend");
  if (!(resendButton instanceof HTMLButtonElement)) throw new Error("#resend is no button.");
  const resendTimer = createResendTimer(resendButton);

  async function sendCode(): Promise<void> {
    await call("POST", "/elements/request-otp", { body: { contact: contact.value } });
    find("sent-to").textContent = contact.value;
    code.value = "";
    resendTimer.start();
    frame.send({ type: "requires_otp" });
    showStep("code-form");
  }

  onSubmit("contact-form", () => frame.run(sendCode));
  onPress(resendButton, () => frame.run(sendCode));

  onSubmit("code-form", () =>
    frame.run(async () => {
      const body = { contact: contact.value, otp_code: code.value };
      frame.setTokens(tokensOf(await call("POST", "/elements/verify-otp", { body })));
      showStep("done");
    }),
  );

  onPress(find("other-contact"), () => showStep("contact-form"));

  return {
    suggestContact(suggested) {
      contact.value = suggested;
    },
    show() {
      contact.value = "";
      code.value = "";
      showOnly(frame.sessionToken === null ? "contact-form" : "done", steps);
    },
  };
});
