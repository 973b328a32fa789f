interface ForPeople {
  readonly recipients: readonly unknown[];
}

/** A request without recipients, such as a file, counts as one. */
export const peopleOf = ({ recipients }: ForPeople): number => Math.max(recipients.length, 1);

export const peopleIn = (parts: readonly ForPeople[]): number =>
  parts.reduce((sum, part) => sum + peopleOf(part), 0);
