// Writes the host of clients/go/module-host.json into all files that name a Go module:
// `node scripts/generate-go-modules.mjs`.
import { writeGoModuleHost } from "./go-module-host.mjs";

writeGoModuleHost();
