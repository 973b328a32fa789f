/** Told when something was heard of what an instance waits for. */
export const waitsTopic = (instance: string): string => `waits ${instance}`;
