interface ForPeople {
  readonly recipients: readonly unknown[];
}

/** A request without recipients, such as a file, counts as one. */
export const countRecipients = ({ recipients }: ForPeople): number => Math.max(recipients.length, 1);

export const sumRecipients = (parts: readonly ForPeople[]): number =>
  parts.reduce((sum, part) => sum + countRecipients(part), 0);
