import { MessagingError } from "../../shared/messaging-error";
import { say } from "../../texts/say";

/** What can be wrong with a store. The catalogues have a text for each. */
export const STORE_FAULTS = [
  /** No SQLite for this Node.js. */
  "STORE_NO_DRIVER",
  /** The folder cannot be made or entered. */
  "STORE_NO_FOLDER",
  "STORE_READ_ONLY",
  "STORE_FULL",
  "STORE_DAMAGED",
  /** A later version of this package has written it. */
  "STORE_NEWER",
  /** It was made before version 1 of the schema, which is the first one that was released. */
  "STORE_EARLIER",
  /** Another process has it. */
  "STORE_LOCKED",
  /** Reading or writing failed in another way. */
  "STORE_IO",
  /** The thread that wrote ended unexpectedly. */
  "STORE_WORKER_DIED",
  /** No connection to the server. */
  "STORE_UNREACHABLE",
  /** The server does not know the user, or not with this password. */
  "STORE_PASSWORD",
  "STORE_NO_DATABASE",
  /** The user may not do what is needed. */
  "STORE_NO_RIGHTS",
  /** The version of the server. */
  "STORE_TOO_OLD",
  /** Something else answers there. */
  "STORE_NOT_POSTGRESQL",
  /** A certificate is not trusted, or the server has no TLS. */
  "STORE_TLS",
  "STORE_BAD_URL",
  /** The server may lose what it has committed. */
  "STORE_UNSAFE",
  /** The server did not answer in time. */
  "STORE_SLOW",
  "STORE_CLOSED",
  /** The database refused a statement: a fault of this package. */
  "STORE_REFUSED",
] as const;
export type StoreFault = (typeof STORE_FAULTS)[number];

/** The store cannot do what it was asked. Nothing may be sent that depends on it. */
export class StoreError extends MessagingError {
  declare readonly code: StoreFault;

  /**
   * @param place the file or folder, or the database, as a person knows it
   * @param detail what the database or system said; may be blank
   * @param uncertain whether the operation may have happened in spite of the error
   */
  constructor(
    code: StoreFault,
    readonly place: string,
    readonly detail: string,
    readonly uncertain: boolean,
  ) {
    super(code, detail === "" ? textOf(code, place) : `${textOf(code, place)} (${detail})`);
  }

  /** What is wrong, for people who may not know the place of the store, which the detail may name too. */
  get withoutPlace(): string {
    return textOf(this.code, say("store.place-hidden"));
  }
}

const textOf = (code: StoreFault, place: string): string => say(`store.${code}`, { place });
