import { database } from '../../../platform/db/database.ts'
import { withProspects } from '../../../platform/db/prospects.ts'
import { conflict, notFound } from '../../../shared/errors.ts'

/** Which business wrote to a number last through the shared provider, and when. */
export const findSmsRoute = async (phone: string): Promise<{ businessId: string | null; at: string } | null> =>
  (await database()
    .selectFrom('smsRoutes')
    .select(['businessId', 'at'])
    .where('phone', '=', phone)
    .executeTakeFirst()) ?? null

/** The newest messages with prospects, and what their funnel wrote to ourselves, for the local simulator. */
export const listLocalMessages = () =>
  withProspects(async (db) => {
    const rows = await db
      .selectFrom('messages')
      .leftJoin('leads', 'leads.id', 'messages.leadId')
      .select([
        'messages.id',
        'leads.id as leadId',
        'leads.name as name',
        'messages.channel',
        'messages.direction',
        'messages.address',
        'messages.subject',
        'messages.bodyText as text',
        'messages.bodyHtml as html',
        'messages.status',
        'messages.createdAt',
        'messages.attachments',
      ])
      .orderBy('messages.createdAt', 'desc')
      .orderBy('messages.id', 'desc')
      .limit(200)
      .execute()
    return rows.map(({ attachments, ...row }) => ({
      ...row,
      files: (attachments as { name: string; content: string }[]).map(({ name, content }) => ({ name, content })),
      channel: row.channel,
      direction: row.direction,
    }))
  })

/** The number of a lead. @throws not_found, state_conflict when it takes no texts */
export const getLeadPhone = (leadId: string): Promise<string> =>
  withProspects(async (db) => {
    const row = await db.selectFrom('leads').select('phoneE164').where('id', '=', leadId).executeTakeFirst()
    if (!row) throw notFound('lead')
    if (!row.phoneE164) throw conflict('This number takes no texts.')
    return row.phoneE164
  })

/** A mail to a prospect. @throws not_found */
export const getSentMail = (messageId: string): Promise<{ address: string; subject: string }> =>
  withProspects(async (db) => {
    const row = await db
      .selectFrom('messages')
      .select(['address', 'subject'])
      .where('id', '=', messageId)
      .where('channel', '=', 'email')
      .where('direction', '=', 'outbound')
      .executeTakeFirst()
    if (!row) throw notFound('message')
    return row
  })
