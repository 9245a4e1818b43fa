export {
  type DeadLetter,
  deadLetterRepo,
  deleteDeadLetters,
  type NewDeadLetter,
  oldDeadLetters,
  purgeDeadLetters,
} from "./repo.ts";
export { type RetryContext, retryDeadLetter, retryDeadLetters } from "./retry-dead-letters.ts";
