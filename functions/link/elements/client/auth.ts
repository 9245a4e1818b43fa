import { call, tokensOf } from "./api.ts";
import { runElement } from "./element.ts";
import { find, findInput, onSubmit, showOnly } from "./page.ts";

const steps = ["contact-form", "code-form", "done"] as const;

/** Shows a step and focuses its input. */
function showStep(step: (typeof steps)[number]): void {
  showOnly(step, steps);
  find(step).querySelector("input")?.focus();
}

/** The page that logs in with a one-time code. */
runElement((frame) => {
  const contact = findInput("contact");
  const code = findInput("code");

  onSubmit("contact-form", () =>
    frame.run(async () => {
      await call("POST", "/elements/request-otp", { body: { contact: contact.value } });
      find("sent-to").textContent = contact.value;
      code.value = "";
      frame.send({ type: "requires_otp" });
      showStep("code-form");
    }),
  );

  onSubmit("code-form", () =>
    frame.run(async () => {
      const body = { contact: contact.value, otp_code: code.value };
      frame.setTokens(tokensOf(await call("POST", "/elements/verify-otp", { body })));
      showStep("done");
    }),
  );

  find("other-contact").addEventListener("click", () => showStep("contact-form"));

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
