import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const BUILT = "../src/giantstep/lab/static";
const SOURCES = ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "public", "src"];

/** All files under some paths, in the order of their names. */
function files(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    const inside = path.includes(".") ? null : readdirSync(path, { recursive: true, withFileTypes: true });
    return inside ? inside.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name)) : [path];
  });
  return found.map((path) => path.replaceAll("\\", "/")).sort();
}

/** Writes down what the page was built from: tests compare it, so that the built page cannot be stale. */
function record(): void {
  const sum = createHash("sha256");
  for (const path of files(SOURCES)) sum.update(`${path}\0`).update(readFileSync(path)).update("\0");
  writeFileSync(join(BUILT, "built-from.json"), `${JSON.stringify({ sources: sum.digest("hex") })}\n`);
}

export default defineConfig({
  base: "/",
  plugins: [{ name: "record-sources", apply: "build", closeBundle: record }],
  server: { proxy: { "/api": { target: process.env["LAB"] ?? "http://127.0.0.1:8123", changeOrigin: true } } },
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { minifyInternalExports: true } },
  },
  // one thread for all: a process for each file takes longer to start than its tests take
  test: { include: ["tests/**/*.test.ts"], pool: "threads", isolate: false, fileParallelism: false },
});
