/** What stands in place of an answer while a request leaves to the built-in simulator, and stays where its process ends before the answer. */
export const SIMULATED_UNANSWERED = '{"simulated":true}';

/** Whether a stored answer says that nobody answered. */
export const isUnanswered = (answer: string | null): boolean =>
  answer === null || answer === SIMULATED_UNANSWERED;
