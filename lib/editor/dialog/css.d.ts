/** A style sheet, bundled as text. */
declare module "*.css" {
  const css: string;
  export default css;
}
