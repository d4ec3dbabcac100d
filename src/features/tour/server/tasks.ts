import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { config } from '../../../platform/config.ts'
import { log } from '../../../platform/log.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'

const run = promisify(execFile)
const maker = join(import.meta.dirname, '../../../main-tour.ts')

/**
 * Makes the demo of the tour anew, so that a visitor always meets a day as it is by now. In a process of its own: a server in production
 * does not load who invents businesses.
 */
export const renewTour: GlobalTask = {
  name: 'tour.renew',
  run: async () => {
    if (!config.production || !config.tour) return
    const { stdout } = await run(process.execPath, [maker], { timeout: 10 * 60_000 })
    log.info(stdout.trim())
  },
}

export const renewTourSchedule: Schedule = { task: renewTour.name, match: '7 * * * *' }
