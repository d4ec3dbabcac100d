import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { config } from '../../../platform/config.ts'
import { log } from '../../../platform/log.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { retireAllDemos } from './commands.ts'

const run = promisify(execFile)
const maker = join(import.meta.dirname, '../../../main-tour.ts')

/**
 * Makes the demo of the tour anew, so that a visitor always meets a day as it is by now; where there is no tour any more its demos go. In a process of its own: a server in production
 * does not load who invents businesses.
 */
export const renewTour: GlobalTask = {
  name: 'tour.renew',
  run: async () => {
    if (!config.production) return
    if (!config.tour) {
      const retired = await retireAllDemos()
      if (retired > 0) log.info({ retired }, 'the tour is closed: its demo businesses go')
      return
    }
    const { stdout } = await run(process.execPath, [maker], { timeout: 10 * 60_000 })
    log.info(stdout.trim())
  },
}

export const renewTourSchedule: Schedule = { task: renewTour.name, match: '7 * * * *', onlyLatest: true }
