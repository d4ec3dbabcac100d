import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, createServer } from 'vite'
import { pictureFiles } from '../src/features/marketing/web/pictures.ts'
import { asProduction } from './web/as-production.ts'
import { root, webConfig } from './web/config.ts'
import { withOwnStyle } from './web/page-style.ts'

/** What src/main-public.tsx gives; its type is the browser half's, which this half does not read. */
type Entry = {
  pageNames: readonly string[]
  renderPage: (name: string, assets: Assets) => string
  renderSitemap: () => string
  renderRobots: () => string
}
type Assets = Files & {
  forms: Pick<Files, 'style' | 'js'>
  icon: string
  card: string
  pictures: Record<string, string>
}
type Files = { style: string; js: string; fonts: string[] }
type Chunk = { file: string; css?: string[]; assets?: string[] }

const webFolder = join(root, 'src/features/marketing/web')

/** Copies a file under a name that changes with its content. */
const putAsset = (outDir: string, file: string): string => {
  const content = readFileSync(join(webFolder, file))
  const [name, extension] = file.split('.')
  const path = `assets/public/${name}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${extension}`
  copyFileSync(join(webFolder, file), join(outDir, path))
  return `/${path}`
}

/** A style sheet that goes into the pages themselves: no file of it is left. */
const takeStyle = (path: string): string => {
  const style = readFileSync(path, 'utf8').trim()
  rmSync(path)
  if (style.includes('</')) throw new Error('This style sheet cannot stand inside a page: it has a closing tag in it.')
  return style
}

/** One script and the text of its one style sheet, with the fonts that it names. */
const buildBrowserFiles = async (outDir: string, input: 'public.ts' | 'forms.ts'): Promise<Files> => {
  const config = webConfig('public', outDir)
  const manifestFile = `manifest.${input.replace('.ts', '')}.json`
  await build({
    ...config,
    build: {
      ...config.build,
      cssCodeSplit: false,
      manifest: manifestFile,
      rolldownOptions: {
        input: join(webFolder, input),
        output: {
          format: 'iife',
          entryFileNames: 'assets/public/[name]-[hash].js',
          assetFileNames: `assets/public/${input.replace('.ts', '')}-[hash][extname]`,
        },
      },
    },
  })
  const manifest = Object.values(JSON.parse(readFileSync(join(outDir, manifestFile), 'utf8')) as Record<string, Chunk>)
  const files = [...new Set(manifest.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]))].map(
    (file) => `/${file}`,
  )
  const one = (extension: string): string => files.find((file) => file.endsWith(extension)) ?? ''
  return {
    js: one('.js'),
    style: takeStyle(join(outDir, one('.css'))),
    fonts: files.filter((file) => file.endsWith('.woff2')).sort(),
  }
}

/** Renders in Vite's server half: Node reads .ts by itself, but neither .tsx nor the style sheets that components import. */
const loadEntry = async (outDir: string): Promise<{ entry: Entry; close: () => Promise<void> }> => {
  const server = await createServer({
    ...webConfig('public', outDir),
    cacheDir: join(root, 'node_modules/.cache/vite-public'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  const entry = (await server.ssrLoadModule(join(root, 'src/main-public.tsx'))) as Entry
  return { entry, close: () => server.close() }
}

const buildPages = async (outDir: string): Promise<readonly string[]> => {
  mkdirSync(join(outDir, 'public'), { recursive: true })
  mkdirSync(join(outDir, 'assets/public'), { recursive: true })
  const [files, forms, { entry, close }] = await Promise.all([
    buildBrowserFiles(outDir, 'public.ts'),
    buildBrowserFiles(outDir, 'forms.ts'),
    loadEntry(outDir),
  ])
  try {
    const put = pictureFiles.map((file) => [file, putAsset(outDir, file)])
    const assets = {
      ...files,
      forms,
      icon: '/favicon.svg',
      card: putAsset(outDir, 'card.jpg'),
      pictures: Object.fromEntries(put) as Record<string, string>,
    }
    const write = (name: string, text: string) => writeFileSync(join(outDir, 'public', name), text)
    const scripts = [files, forms].map(({ js }) => readFileSync(join(outDir, js), 'utf8'))
    await Promise.all(
      entry.pageNames.map(async (name) =>
        write(`${name}.html`, await withOwnStyle(entry.renderPage(name, assets), scripts)),
      ),
    )
    write('sitemap.xml', entry.renderSitemap())
    write('robots.txt', entry.renderRobots())
    return entry.pageNames
  } finally {
    await close()
  }
}

/**
 * Writes the public site into `outDir`: `public/<name>.html`, `public/sitemap.xml`, `public/robots.txt`, and hashed files under
 * `assets/public/`. Whoever serves the pages passes them through `withSite` (src/features/marketing/rules.ts).
 * @returns the names of the pages
 */
export const buildPublic = (outDir: string): Promise<readonly string[]> => asProduction(() => buildPages(outDir))

if (import.meta.main) {
  const outDir = process.argv[2] ?? join(root, 'dist/web')
  const started = performance.now()
  const pages = await buildPublic(outDir)
  console.log(`${pages.length} public pages in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
