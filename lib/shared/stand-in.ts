/** Node-RED shows this for a stored password. */
export const STAND_IN = "__PWRD__";
