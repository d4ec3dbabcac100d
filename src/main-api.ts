import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// before everything else is imported
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'))

// the React that draws mails and pages checks nothing twice, unless somebody works on it
process.env.NODE_ENV ??= 'production'

const { config } = await import('./platform/config.ts')
const { start } = await import('./platform/start.ts')

const loadTasks = async () => (await import('./app-tasks.ts')).startWork()

const loadDemo = async () => {
  await (await import('./demo/demo.ts')).makeDemo()
  await (await import('./demo/desk.ts')).makeDemoConversations()
}

await start({
  loadDemo,
  loadServer: async () => (await import('./app-server.ts')).buildServer(),
  ...(config.role === 'api' ? {} : { loadTasks }),
})
