// SPDX-License-Identifier: Apache-2.0
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const backend = `http://127.0.0.1:${process.env.BAILEY_PORT ?? "4517"}`;

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: "./project.inlang",
      outdir: "./src/lib/paraglide",
      strategy: ["globalVariable", "baseLocale"],
    }),
    svelte(),
  ],
  // Relative, so that the same files serve from an address and from the app's own scheme.
  base: "./",
  resolve: { alias: { $lib: new URL("./src/lib", import.meta.url).pathname } },
  build: {
    target: ["chrome111", "safari16.4", "firefox114"],
    manifest: true,
    modulePreload: { polyfill: false },
    // The content security policy has no `data:` for fonts or scripts; everything stays a file.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    // The server answers only its own origin.
    proxy: { "/api": { target: backend, changeOrigin: true, headers: { origin: backend } } },
  },
});
