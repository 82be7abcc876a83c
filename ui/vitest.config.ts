// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { $lib: new URL("./src/lib", import.meta.url).pathname } },
  test: { environment: "node", include: ["tests/**/*.test.ts"], testTimeout: 30_000 },
});
