import { Acknowledgements } from "../../webhook/acknowledgements";
import { perRuntime } from "../node-red/per-runtime";

export const getAcknowledgements = perRuntime(() => new Acknowledgements());
