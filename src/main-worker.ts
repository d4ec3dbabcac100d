import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// before everything else is imported
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'))

// the React that draws mails and pages checks nothing twice, unless somebody works on it
process.env.NODE_ENV ??= 'production'

const { start } = await import('./platform/start.ts')

await start({ loadTasks: async () => (await import('./app-tasks.ts')).startWork() })
