import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { consoleApi } from "./console-api.ts";

/** Creates a passkey on this device, and stores it with the login. */
export async function addPasskey(name: string): Promise<void> {
  const { data: optionsJSON } = await consoleApi.passkeys.createOptions();
  if (!isCreationOptions(optionsJSON)) throw new Error("The service sent no options. Try again.");
  const response = await startRegistration({ optionsJSON });
  await consoleApi.passkeys.register({ response: { ...response }, name });
}

/** Logs in with a passkey that the browser lets the person choose. */
export async function logInWithPasskey(): Promise<void> {
  const { data: optionsJSON } = await consoleApi.passkeys.createLoginOptions();
  if (!isRequestOptions(optionsJSON)) throw new Error("The service sent no options. Try again.");
  const response = await startAuthentication({ optionsJSON });
  await consoleApi.passkeys.logInWith({ response: { ...response } });
}

const isCreationOptions = (value: object): value is PublicKeyCredentialCreationOptionsJSON =>
  "challenge" in value && "user" in value && "rp" in value;

const isRequestOptions = (value: object): value is PublicKeyCredentialRequestOptionsJSON =>
  "challenge" in value;
