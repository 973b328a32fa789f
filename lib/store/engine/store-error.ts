import { MessagingError } from "../../shared/messaging-error";
import { say } from "../../texts/say";

/** What can be wrong with a store. The catalogues have a text for each. */
export const STORE_FAULTS = [
  "STORE_NO_DRIVER", // No SQLite for this Node.js
  "STORE_NO_FOLDER", // The folder cannot be made or entered
  "STORE_READ_ONLY",
  "STORE_FULL",
  "STORE_MEMORY_FULL", // Messages that wait fill the memory of accounts without a store
  "STORE_DAMAGED",
  "STORE_NEWER", // A later version of this package has written it
  "STORE_EARLIER", // It was made before version 1 of the schema, which is the first one that was released
  "STORE_LOCKED", // Another process has it
  "STORE_IO", // Reading or writing failed in another way
  "STORE_WORKER_DIED", // The thread that wrote ended unexpectedly
  "STORE_UNREACHABLE", // No connection to the server
  "STORE_PASSWORD", // The server does not know the user, or not with this password
  "STORE_NO_DATABASE",
  "STORE_NO_RIGHTS", // The user may not do what is needed
  "STORE_TOO_OLD", // The version of the server
  "STORE_NOT_UTF8", // The database cannot hold every text
  "STORE_NOT_POSTGRESQL", // Something else answers there
  "STORE_TLS", // A certificate is not trusted, or the server has no TLS
  "STORE_BAD_URL",
  "STORE_UNSAFE", // The server may lose what it has committed
  "STORE_SLOW", // The server did not answer in time
  "STORE_CLOSED",
  "STORE_REFUSED", // The database refused a statement: a fault of this package
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
