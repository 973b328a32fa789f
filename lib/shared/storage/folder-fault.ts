/** Why a typed folder would not be the one that is meant. */
export type FolderFault = "part-variable" | "home";

/** Checks a folder typed by a user, for the dialog and the runtime alike; a variable that is the whole text is for Node-RED to replace. */
export function findFolderFault(typed: string): FolderFault | null {
  if (/\$\{[^}]*\}|\$\([^)]*\)/.test(typed)) {
    return "part-variable";
  }
  return typed.trim().startsWith("~") ? "home" : null;
}
