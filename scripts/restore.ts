import { resolve } from 'node:path'
import { config } from '../src/platform/config.ts'
import { readBackup, restoreAll, restoreDatabase } from '../src/platform/db/backup.ts'
import { StartError } from '../src/platform/db/supervisor.ts'

// npm run restore -- <backup folder> [--database-only]: into an empty data folder, or only the database of the present one

const given = process.argv.slice(2)
const databaseOnly = given.includes('--database-only')
const source = given.find((word) => !word.startsWith('--'))

try {
  if (!source) throw new StartError('Which backup? npm run restore -- <backup folder> [--database-only]')
  const about = readBackup(resolve(source))
  if (databaseOnly) await restoreDatabase(resolve(source), config.dataDir)
  else await restoreAll(resolve(source), config.dataDir)
  console.log(`Restored the copy of ${about.createdAt} into ${config.dataDir}. Start it with npm start.`)
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
