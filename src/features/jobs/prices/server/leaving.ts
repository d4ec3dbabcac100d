import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { plainText } from '../../../messages/rules.ts'
import type { Watch } from '../../../messages/server/delivery/commands.ts'
import { overtakenWords } from '../rules.ts'
import { languageOf } from './queries.ts'
import { standingWork } from './standing.ts'
import { noticeMail, noticeText } from './words.ts'

const customerOf = async (db: TenantDb, messageId: string): Promise<string | null> =>
  (
    await db
      .selectFrom('messages')
      .select('customerId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', messageId)
      .executeTakeFirst()
  )?.customerId ?? null

/**
 * What the gate asks as a notice of new prices leaves, maybe a night after it was written: whose job ended since, or got another price, reads nothing
 * of it, and of several lawns only those whose price still comes.
 */
const look: Watch['look'] = async (db, changeId, { id, channel }) => {
  const customerId = await customerOf(db, id)
  const lines = customerId ? await standingWork(db, changeId, [customerId]).execute() : []
  const [first] = lines
  if (!first) return { why: overtakenWords }
  const { kind, fromOn } = await db
    .selectFrom('priceChanges')
    .select(['kind', 'fromOn'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', changeId)
    .executeTakeFirstOrThrow()
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'brandColor', 'phone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const writtenOn = await todayOf(db)
  const told = { name: first.name, fromOn: fromOn as Day, writtenOn, lines, language: languageOf(first) }
  return {
    words:
      channel === 'email'
        ? noticeMail(kind, business, told)
        : { text: plainText(noticeText(kind, business.name, told)) },
  }
}

export const priceWatch: Watch = { look, left: async () => undefined }
