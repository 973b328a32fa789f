export { maskNumber } from "../../shared/mask-number";
