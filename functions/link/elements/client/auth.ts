import { call, tokensOf } from "./api.ts";
import { runElement } from "./element.ts";
import { find, findInput, onSubmit, showOnly } from "./page.ts";

const steps = ["contact-form", "code-form", "done"] as const;

/** Moves on to a step, and the keyboard with it when there is something to type. */
function go(step: (typeof steps)[number]): void {
  showOnly(step, steps);
  find(step).querySelector("input")?.focus();
}

/** Logging in with a one-time code. */
runElement((element) => {
  const contact = findInput("contact");
  const code = findInput("code");

  onSubmit("contact-form", () =>
    element.attempt(async () => {
      await call("POST", "/elements/request-otp", { body: { contact: contact.value } });
      find("sent-to").textContent = contact.value;
      code.value = "";
      element.tell({ type: "requires_otp" });
      go("code-form");
    }),
  );

  onSubmit("code-form", () =>
    element.attempt(async () => {
      const body = { contact: contact.value, otp_code: code.value };
      element.accept(tokensOf(await call("POST", "/elements/verify-otp", { body })));
      go("done");
    }),
  );

  find("other-contact").addEventListener("click", () => go("contact-form"));

  return {
    suggest(suggested) {
      contact.value = suggested;
    },
    show() {
      contact.value = "";
      code.value = "";
      showOnly(element.sessionToken === null ? "contact-form" : "done", steps);
    },
  };
});
