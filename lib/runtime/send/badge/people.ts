interface ForPeople {
  readonly recipients: readonly unknown[];
}

/** How many people a request is for. What is for nobody, such as a file or a message whose recipients cannot be read, counts as one. */
export const peopleOf = ({ recipients }: ForPeople): number => Math.max(recipients.length, 1);

export const peopleIn = (parts: readonly ForPeople[]): number =>
  parts.reduce((sum, part) => sum + peopleOf(part), 0);
