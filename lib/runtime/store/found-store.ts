/** A store that works, or would. */
export interface FoundStore {
  /** The finding, a key of a text. */
  readonly code: string;
  /** The file, or host and name of the database. */
  readonly place: string;
  readonly detail: string;
}
