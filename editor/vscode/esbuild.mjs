// Bundles the extension, and the script of the question view, which runs in a web view.
import { build } from 'esbuild';

const common = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };

await build({
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
});
await build({
  ...common,
  entryPoints: ['src/webview/question.ts'],
  outfile: 'dist/question.js',
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
});
