import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Watch } from '../../messages/server/delivery/commands.ts'
import { noteDaySaidTx } from '../../notices/server/commands.ts'
import { goneWords } from '../rules.ts'
import { stillStands } from './facts.ts'
import { getAutomationRow } from './rows.ts'
import { composed, finalDraftOf } from './words.ts'

const findRun = (db: TenantDb, id: string) =>
  db
    .selectFrom('automationRuns')
    .select([
      'automationId',
      'customerId',
      'subjectId',
      'occurrence',
      'dueAt',
      'ownSubject',
      'ownText',
      'saidVisitId',
      'saidDay',
    ])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * What the gate asks as a message leaves, maybe a night after it was put there: why it says nothing any more, or its words with the day and the
 * sum as they are now.
 */
const look: Watch['look'] = async (db, runId, { id: messageId, channel, address }) => {
  const run = await findRun(db, runId)
  if (!run) return { why: goneWords }
  const automation = await getAutomationRow(db, run.automationId)
  if (!automation.enabled) return { why: 'The automation was switched off before it left' }
  const off = await db
    .selectFrom('automationOptOuts')
    .select('at')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', run.customerId)
    .where('automationId', '=', run.automationId)
    .executeTakeFirst()
  if (off) return { why: 'Switched off for this customer before it left' }
  if (!(await stillStands(db, automation, run))) return { why: `${goneWords} before it left` }
  const draft = await finalDraftOf(db, automation, run)
  if (draft.problem !== null) return { why: draft.problem }
  await db
    .updateTable('automationRuns')
    .set({ saidVisitId: draft.says?.visitId ?? null, saidDay: draft.says?.day ?? null })
    .where('businessId', '=', db.businessId)
    .where('id', '=', runId)
    .execute()
  const { customerId } = run
  return { words: await composed(db, automation, draft, { channel, address, customerId, messageId }) }
}

/** Whoever was told a day hears when it moves. */
const left: Watch['left'] = async (db, runId) => {
  const run = await findRun(db, runId)
  if (run?.saidVisitId && run.saidDay)
    await noteDaySaidTx(db, { visitId: run.saidVisitId, customerId: run.customerId, day: run.saidDay })
}

export const automationWatch: Watch = { look, left }
