import { config } from './platform/config.ts'
import { closeDatabase, connectDatabase } from './platform/db/database.ts'
import { findEmbedded } from './platform/db/supervisor.ts'

// Makes the demo business of the tour anew, beside a server that runs.
const url = config.databaseUrl ?? findEmbedded(config.dataDir)?.url
if (!url) {
  process.stderr.write(
    'There is no database to make the tour in: start Swath first, or set DATABASE_URL as it has it.\n',
  )
  process.exit(1)
}
connectDatabase({ url, max: 2 })
try {
  const { renewTour } = await import('./demo/tour.ts')
  const { slug, retired } = await renewTour()
  const now = slug === null ? 'of this hour already' : slug
  process.stdout.write(`The demo of the tour is ${now}; ${retired} older ${retired === 1 ? 'one goes' : 'ones go'}.\n`)
} finally {
  const { closeRuns } = await import('./features/season/server/commands.ts')
  const { closeThreads } = await import('./platform/threads.ts')
  await Promise.all([closeRuns(), closeThreads()])
  await closeDatabase()
}
