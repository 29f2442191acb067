// The bundler joins the style sheets.
declare module "*.css";
