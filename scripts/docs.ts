import { writeFileSync } from "node:fs";
import { reference } from "./reference.ts";

writeFileSync("docs/reference.md", reference());
console.log("docs/reference.md written");
