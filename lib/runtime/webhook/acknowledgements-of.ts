import { Acknowledgements } from "../../webhook/acknowledgements";
import { perRuntime } from "../node-red/per-runtime";

/** The events of one Node-RED that wait for a decision of the flow. */
export const acknowledgementsOf = perRuntime(() => new Acknowledgements());
