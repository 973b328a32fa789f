export { maskNumber } from "../../shared/recipients/mask-number";
