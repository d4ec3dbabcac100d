import type { TenantDb } from '../../../platform/db/tenant.ts'
import { hubPath } from '../../../shared/paths.ts'
import { notifyOffice, settleNotice } from '../../notifications/server/commands.ts'
import { countWaiting } from './queries.ts'

/** What the bell says of messages that wait for a yes: one line, of all of them. */

const dedupeKey = 'automations-wait'

export const ringTx = async (db: TenantDb): Promise<void> => {
  const count = await countWaiting(db)
  await notifyOffice(db, {
    type: 'other',
    topic: 'needsYou',
    title: count === 1 ? 'An automatic message waits for your yes' : `${count} automatic messages wait for your yes`,
    content: 'Nothing of it leaves before somebody has looked.',
    path: hubPath('customers', 'automations'),
    dedupeKey,
    again: true,
  })
}

/** Where none waits any more, nobody is asked to look. */
export const settleBellTx = async (db: TenantDb): Promise<void> => {
  if ((await countWaiting(db)) === 0) await settleNotice(db, dedupeKey)
}
