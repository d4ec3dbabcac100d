import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { type Surface, screens } from '../../src/shared/screens.ts'
import { contractTables } from './contracts.ts'
import { iconFiles } from './icons.ts'

export const root = join(import.meta.dirname, '../..')

/** What the builds of the office app, the crew app and the public pages have in common. Nothing inline: the content security policy allows only files of our own. */
export const webConfig = (surface: 'admin' | 'crew' | 'public', outDir: string): InlineConfig => ({
  configFile: false,
  root: join(root, 'web'),
  publicDir: false,
  base: '/',
  mode: 'production',
  logLevel: 'warn',
  clearScreen: false,
  plugins: [contractTables(), iconFiles(), react()],
  define: { 'import.meta.env.SURFACE': JSON.stringify(surface) },
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    outDir,
    emptyOutDir: false,
    target: ['chrome111', 'safari16.4', 'firefox114'],
    // no file names its map: browsers do not look for what is not served
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    assetsDir: `assets/${surface}`,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    manifest: `manifest.${surface}.json`,
  },
})

export const htmlConfig = (surface: 'admin' | 'crew', html: string, outDir: string): InlineConfig => {
  const config = webConfig(surface, outDir)
  // What a phone reads before anything else is one file: each passes the service worker by itself.
  const output =
    surface === 'crew'
      ? { codeSplitting: { groups: [{ name: 'first', tags: ['$initial' as const] }] } }
      : // the first file names every other one, and chance does not compress: seven characters tell all builds apart
        {
          chunkFileNames: `assets/${surface}/[name]-[hash:7].js`,
          assetFileNames: `assets/${surface}/[name]-[hash:7][extname]`,
        }
  return { ...config, build: { ...config.build, rolldownOptions: { input: join(root, 'web', html), output } } }
}

/** As a list that is written into a source. */
const pagesOf = (surface: Surface): string =>
  JSON.stringify(screens.filter((screen) => screen.surface === surface).map(({ path }) => path))

/** The service worker is a build of its own: one file at the root, with the crew app's list of files written in. */
export const workerConfig = (outDir: string, precache: readonly string[], buildId: string): InlineConfig => ({
  configFile: false,
  root,
  publicDir: false,
  mode: 'production',
  logLevel: 'warn',
  plugins: [],
  define: {
    PRECACHE: JSON.stringify(precache),
    CREW_PAGES: pagesOf('crew'),
    SHARED_PAGES: pagesOf('byRole'),
    BUILD_ID: JSON.stringify(buildId),
  },
  build: {
    outDir,
    emptyOutDir: false,
    target: ['chrome111', 'safari16.4', 'firefox114'],
    reportCompressedSize: false,
    rolldownOptions: {
      input: join(root, 'src/sw.ts'),
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
})
