export { askRuntime, type RuntimeAnswer } from "../dialog/ask-runtime";
