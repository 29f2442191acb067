// The beginning of the page.

import { render } from "preact";
import { App } from "./app";
import "@sabaki/shudan/css/goban.css";
import "./style.css";

render(<App />, document.getElementById("page")!);
