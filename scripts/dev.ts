import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type PluginOption } from 'vite'
import { config } from '../src/platform/config.ts'
import { freePort } from '../src/platform/db/cluster.ts'
import { startEmbedded } from '../src/platform/db/supervisor.ts'
import { screenAt } from '../src/shared/screens.ts'
import { webConfig } from './web/config.ts'

// npm run dev: the server starts again and the browser takes up what was saved, on the database of `npm start`. The database stays up in between.

const root = join(import.meta.dirname, '..')
const database = config.databaseUrl ? null : await startEmbedded(config.dataDir, 'api')
const apiPort = await freePort()
const address = `http://localhost:${config.port}`

const server: ChildProcess = spawn(
  process.execPath,
  ['--watch-path=src', '--watch-preserve-output', 'src/main-api.ts'],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: process.env.NODE_ENV ?? 'development',
      PORT: String(apiPort),
      DATABASE_URL: database?.url ?? config.databaseUrl,
      SWATH_DEMO: config.demo ? '1' : '0',
      // this process tells it to go; npm is not its parent
      npm_lifecycle_event: '',
    },
  },
)

/** Which build draws a path, as the server decides it; null for what the server answers itself. */
const documentOf = (path: string, cookie: string): 'index.html' | 'crew.html' | null => {
  const screen = screenAt(path)
  if (!screen || screen.surface === 'public') return null
  const isCrew = screen.surface === 'crew' || (screen.surface === 'byRole' && /swath_app=employee(?:;|$)/.test(cookie))
  return isCrew ? 'crew.html' : 'index.html'
}

const documents: PluginOption = {
  name: 'swath-documents',
  configureServer: (vite) => {
    vite.middlewares.use(async (request, response, next) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/'
      const isPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
      const name = isPage ? documentOf(path, request.headers.cookie ?? '') : null
      if (!name) return next()
      // the sources lie beside the folder of the documents
      const text = readFileSync(join(root, 'web', name), 'utf8').replaceAll('../src/', `/@fs${root}/src/`)
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(await vite.transformIndexHtml(path, text))
    })
  },
}

const { build: _build, plugins = [], ...shared } = webConfig('admin', join(root, 'dist/dev'))
const target = `http://localhost:${apiPort}`
const vite = await createServer({
  ...shared,
  mode: 'development',
  plugins: [...plugins, documents],
  cacheDir: join(root, 'node_modules/.cache/vite-dev'),
  appType: 'custom',
  server: {
    port: config.port,
    strictPort: true,
    fs: { allow: [root] },
    proxy: Object.fromEntries(
      [
        '^/api/',
        '^/health$',
        '^/ready$',
        '^/$',
        '^/assets/',
        '^/[a-z-]+$',
        // scripts of their own in web/public, as the theme before the first paint
        '^/[a-z]+\\.js$',
        '^/[\\w.-]+\\.(svg|png|ico|webmanifest|txt|xml)$',
      ].map((path) => [path, { target, changeOrigin: false }]),
    ),
  },
})
await vite.listen()
console.log(`\n  Swath is being worked on: ${address}\n`)

let leaving = false
const leave = async (): Promise<void> => {
  if (leaving) return
  leaving = true
  server.kill('SIGTERM')
  await vite.close()
  await new Promise((done) => (server.exitCode === null ? server.once('exit', done) : done(null)))
  await database?.stop()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void leave())
