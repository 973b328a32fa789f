/** What an edit dialog shows in the place of a stored password, as Node-RED itself does. */
export const STAND_IN = "__PWRD__";
