export interface FoundStore {
  readonly code: string;
  /** The file, or host and name of the database. */
  readonly place: string;
  readonly detail: string;
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** Formats a whole number in a unit that leaves two digits or more. */
export function byteSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 10 * 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${Math.round(size)} ${UNITS[unit]}`;
}
